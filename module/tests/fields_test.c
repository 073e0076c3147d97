// SPDX-License-Identifier: GPL-2.0-only
#include "format/fields.h"
#include "format/print_fmt.h"
#include "helpers.h"
#include "limits.h"
#include "tables/grammar.h"
#include "tables/match.h"

static void match_name(const struct match_row *row, char *name)
{
	char both[KUNIT_PARAM_DESC_SIZE];

	snprintf(both, sizeof(both), "%s <%s> %s", row->command,
		 row->same ? "=" : "!", row->text ?: "(none)");
	case_name(name, both);
}

static void pieces_name(const struct match_pieces_row *row, char *name)
{
	char all[KUNIT_PARAM_DESC_SIZE];
	int len = snprintf(all, sizeof(all), "%s <%s>", row->command,
			   row->same ? "=" : "!");
	u32 i;

	for (i = 0; row->pieces[i]; i++)
		len += snprintf(all + len, sizeof(all) - len, " [%s]",
				row->pieces[i]);

	case_name(name, all);
}

static void accepted_name(const struct accepted_row *row, char *name)
{
	case_name(name, row->command);
}

KUNIT_ARRAY_PARAM(match, matches, match_name);
KUNIT_ARRAY_PARAM(pieces, matches_in_pieces, pieces_name);
KUNIT_ARRAY_PARAM(accepted, accepted, accepted_name);

static void compares_text(struct kunit *test)
{
	const struct match_row *row = test->param_value;
	struct event_desc *desc = parse(test, row->command);
	const char *text = row->text ? copy_text(test, row->text) : NULL;

	KUNIT_EXPECT_EQ(test, ue_desc_match_text(desc, text), row->same);

	ue_desc_free(desc);
}

/* The text behind the name of a command. */
static const char *args_of(struct kunit *test, const char *command)
{
	const char *args = strchr(command, ' ');

	return args ? copy_text(test, args + 1) : NULL;
}

/* Among the others, only a second sign makes no difference. */
static void same_fields_have_same_key(struct kunit *test)
{
	const struct match_row *row = test->param_value;
	const char *text = row->text ? copy_text(test, row->text) : NULL;
	u32 wanted = ue_fields_key(args_of(test, row->command), 5);
	bool is_same = row->same || (row->text && strstr(row->text, "++"));

	KUNIT_EXPECT_EQ(test, ue_fields_key(text, 5) == wanted, is_same);
}

/* Splits a text at white space, as dynamic_events does. */
static int split_text(char *text, const char **pieces, int room)
{
	int count = 0;

	while (count < room && *(text = skip_spaces(text))) {
		pieces[count++] = text;
		while (*text && !isspace(*text))
			text++;
		if (*text)
			*text++ = '\0';
	}

	return count;
}

/* dynamic_events and the ioctl must give the same result. */
static void compares_split_text(struct kunit *test)
{
	const struct match_row *row = test->param_value;
	struct event_desc *desc = parse(test, row->command);
	const char *pieces[16];
	int count = split_text(copy_text(test, row->text ?: ""), pieces,
			       ARRAY_SIZE(pieces));
	int i;

	KUNIT_ASSERT_LT(test, count, (int)ARRAY_SIZE(pieces));
	for (i = 0; i < count; i++)
		pieces[i] = copy_text(test, pieces[i]);

	KUNIT_EXPECT_EQ(test, ue_desc_match(desc, count, pieces), row->same);

	ue_desc_free(desc);
}

static void compares_pieces(struct kunit *test)
{
	const struct match_pieces_row *row = test->param_value;
	struct event_desc *desc = parse(test, row->command);
	const char *pieces[MATCH_PIECES];
	int count;

	for (count = 0; row->pieces[count]; count++)
		pieces[count] = copy_text(test, row->pieces[count]);

	KUNIT_EXPECT_EQ(test, ue_desc_match(desc, count, pieces), row->same);

	ue_desc_free(desc);
}

/* The text in dynamic_events describes the event. */
static void matches_own_text(struct kunit *test)
{
	const struct accepted_row *row = test->param_value;
	struct event_desc *desc = parse(test, row->command);
	char *text = format_text(ue_desc_text, desc);

	KUNIT_ASSERT_NOT_NULL(test, text);
	KUNIT_EXPECT_TRUE(test, ue_desc_match_text(desc, text));

	kfree(text);
	ue_desc_free(desc);
}

/* A program may register its event twice. */
static void matches_own_command(struct kunit *test)
{
	const struct accepted_row *row = test->param_value;
	struct event_desc *desc = parse(test, row->command);

	KUNIT_EXPECT_TRUE(
		test, ue_desc_match_text(desc, args_of(test, row->command)));

	ue_desc_free(desc);
}

static void free_accepts_null(struct kunit *test)
{
	ue_desc_free(NULL);
	KUNIT_SUCCEED(test);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(compares_text, match_gen_params),
	KUNIT_CASE_PARAM(same_fields_have_same_key, match_gen_params),
	KUNIT_CASE_PARAM(compares_split_text, match_gen_params),
	KUNIT_CASE_PARAM(compares_pieces, pieces_gen_params),
	KUNIT_CASE_PARAM(matches_own_text, accepted_gen_params),
	KUNIT_CASE_PARAM(matches_own_command, accepted_gen_params),
	KUNIT_CASE(free_accepts_null),
	{},
};

static struct kunit_suite fields_suite = {
	.name = "user_events_fields",
	.test_cases = cases,
};

kunit_test_suite(fields_suite);
