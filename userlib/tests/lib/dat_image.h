/* SPDX-License-Identifier: MIT */
/*
 * trace.dat as trace-cmd makes it, in memory, of a machine of either byte order.
 */
#ifndef DAT_IMAGE_H
#define DAT_IMAGE_H

#include "perf_image.h"

/* Bytes of a page, fewer than any machine has. */
#define DAT_IMAGE_PAGE 256

/* The number of user_events:number, which has a u32 of that name. */
#define DAT_IMAGE_ID 77

/* Starts a page of @time; ends it, optionally with @missed missing records. */
void dat_image_page(struct image *image, uint64_t time);
void dat_image_page_end(struct image *image, uint64_t missed);

/* An entry @delta after the one before, with a record of thread @tid. */
void dat_image_entry(struct image *image, uint32_t delta, uint32_t tid,
		     uint32_t number);

/* A word that is no entry: a kind, and a time. */
void dat_image_word(struct image *image, uint32_t kind, uint32_t delta);

/*
 * dat_image_file() - Writes a file of version 6
 * @long_size: of the kernel, 4 or 8
 * @cpus: number of processors
 * @pages: writes the pages of processor @cpu
 */
void dat_image_file(struct image *image, bool big, unsigned int long_size,
		    unsigned int cpus,
		    void (*pages)(struct image *image, unsigned int cpu));

/*
 * dat_image_printk() - Writes a file of version 6 with the texts and formats of
 * trace_printk(), as dat_image_file()
 */
void dat_image_printk(struct image *image, bool big, unsigned int long_size,
		      void (*pages)(struct image *image, unsigned int cpu));

/* IDs of ftrace:kernel_stack, bprint and bputs, and the addresses of texts. */
#define DAT_IMAGE_STACK 4
#define DAT_IMAGE_BPRINT 6
#define DAT_IMAGE_BPUTS 7
#define DAT_IMAGE_FORMAT 0xc0201000
#define DAT_IMAGE_TEXT 0xc0202000

/*
 * dat_image_dates() - Writes a file of version 6 with the name of its clock
 * @microseconds: number that makes dates of times; NULL: they are no dates
 * @clock: content of trace_clock, such as "[mono]"
 */
void dat_image_dates(struct image *image, const char *microseconds,
		     const char *clock,
		     void (*pages)(struct image *image, unsigned int cpu));

/*
 * dat_image_instances() - Writes a file of version 6 with a processor and two
 * instances
 * @places: set to the offsets of the positions of the instances
 * @pages: writes the pages of instance @cpu
 */
void dat_image_instances(struct image *image, bool big, size_t places[2],
			 void (*pages)(struct image *image, unsigned int cpu));

/* The same of version 7, as it is without compression. */
void dat_image_file7(struct image *image, bool big, unsigned int cpus,
		     void (*pages)(struct image *image, unsigned int cpu));

/*
 * dat_image_repeated7() - Writes a file of version 7 without records, with
 * options that name the section of the formats @times times
 */
void dat_image_repeated7(struct image *image, unsigned int times);

/* Returns the offset of the first page's position in the last file. */
extern size_t dat_image_table;

#endif
