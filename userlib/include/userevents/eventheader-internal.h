/* SPDX-License-Identifier: MIT */
/*
 * Implementation of the macros of <userevents/eventheader.h>. Not an API; can
 * change at any time.
 *
 * Each field macro expands to lists in parentheses of the following elements.
 * The list of a struct is followed by those of its members.
 *
 *	meta	0 encoding, 1 and format, 2 and tag, 3 nothing
 *	counted	1 if metadata has a count, 0
 *	argument
 *		type of the value: uev_none, uev_value of this type, uev_typed
 *		pointer to it, uev_sized pointer to units of the same size,
 *		uev_pointers pointer to pointers, uev_bytes any pointer
 *	data	what is written: uev_none, uev_scalar, uev_counted, uev_fixed,
 *		uev_zero, uev_activity
 *	name, encoding, format, tag, count
 *		of the metadata
 *	type	of the value, the units or the elements
 *	value, number
 *		arguments of the caller
 *	opcode, id, version, event_tag, level, keyword
 *		values of an option, 0 for none; 0 for fields. Of several
 *		options the last applies, and keywords are combined. Level and
 *		keyword are used by <userevents/TraceLoggingProvider.h>
 *
 * An operation is a macro that is applied to each of these lists, with a number
 * that is unique in the event.
 *
 * All arguments are evaluated in the same full expression that writes the
 * record, because a temporary object exists only until the end of its full
 * expression, and texts and arrays are not copied.
 */
#ifndef USEREVENTS_EVENTHEADER_INTERNAL_H
#define USEREVENTS_EVENTHEADER_INTERNAL_H

#if defined(__cplusplus) && __cplusplus < 201402L
#error "<userevents/eventheader.h> requires C++14, such as -std=c++14"
#endif

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <userevents/common.h>
#include <userevents/eventheader-types.h>
#include <userevents/userevents.h>

/*
 * A number of any type as one of @type. C++ warns about casts of C, and about
 * static_cast to the same type.
 */
#ifdef __cplusplus
template <typename To> struct uev_eh_cast_ {
	static constexpr To of(To value)
	{
		return value;
	}
	template <typename From> static constexpr To of(From value)
	{
		return static_cast<To>(value);
	}
};
#define UEV_EH_NUMBER_(type, value) (uev_eh_cast_<type>::of(value))
#else
#define UEV_EH_NUMBER_(type, value) ((type)(value))
#endif

/* clang-format off */
/* The argument after the first 127: their number, if there are fewer. */
#define UEV_EH_AT_( \
	a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, \
	a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, \
	a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, \
	a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, \
	a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, a65, a66, a67, \
	a68, a69, a70, a71, a72, a73, a74, a75, a76, a77, a78, a79, a80, \
	a81, a82, a83, a84, a85, a86, a87, a88, a89, a90, a91, a92, a93, \
	a94, a95, a96, a97, a98, a99, a100, a101, a102, a103, a104, a105, \
	a106, a107, a108, a109, a110, a111, a112, a113, a114, a115, a116, \
	a117, a118, a119, a120, a121, a122, a123, a124, a125, a126, a127, \
	n, ...) n
#define UEV_EH_COUNT_(...) UEV_EH_COUNT_2_(__VA_ARGS__, UEV_EH_COUNTS_)
#define UEV_EH_COUNT_2_(...) UEV_EH_AT_(__VA_ARGS__)
#define UEV_EH_COUNTS_ \
	MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, \
	MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, \
	MANY, MANY, MANY, MANY, MANY, 100, 99, 98, 97, 96, 95, 94, 93, 92, \
	91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, \
	74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, \
	57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, \
	40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, \
	23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, \
	5, 4, 3, 2, 1, 0

/* Number of lists before their expansion, which is longer. */
#define UEV_EH_MEMBERS_(...) UEV_EH_AT_(UEV_EH_FIRST_##__VA_ARGS__, \
	MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, \
	MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, \
	MANY, MANY, MANY, MANY, MANY, 100, 99, 98, 97, 96, 95, 94, 93, 92, \
	91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, \
	74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, \
	57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, \
	40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, \
	23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, \
	5, 4, 3, 2, 1, 0)

#define UEV_EH_SOME_ \
	SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, \
	SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, \
	SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, \
	SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, \
	SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, \
	SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, \
	SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, \
	SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, \
	SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, \
	SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, \
	SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, \
	SOME, SOME, SOME, SOME, SOME, ONE, 0

/* UEV_EH_EACH_(operation, list...): applies the operation to each list. */
#define UEV_EH_EACH_(op, ...) \
	UEV_EH_CAT_(UEV_EH_EACH_, UEV_EH_COUNT_(__VA_ARGS__))(op, __VA_ARGS__)
#define UEV_EH_EACH_MANY(op, ...) uev_eventheader_has_too_many_fields
#define UEV_EH_EACH_1(op, l) op(1, l)
#define UEV_EH_EACH_2(op, l, ...) op(2, l) UEV_EH_EACH_1(op, __VA_ARGS__)
#define UEV_EH_EACH_3(op, l, ...) op(3, l) UEV_EH_EACH_2(op, __VA_ARGS__)
#define UEV_EH_EACH_4(op, l, ...) op(4, l) UEV_EH_EACH_3(op, __VA_ARGS__)
#define UEV_EH_EACH_5(op, l, ...) op(5, l) UEV_EH_EACH_4(op, __VA_ARGS__)
#define UEV_EH_EACH_6(op, l, ...) op(6, l) UEV_EH_EACH_5(op, __VA_ARGS__)
#define UEV_EH_EACH_7(op, l, ...) op(7, l) UEV_EH_EACH_6(op, __VA_ARGS__)
#define UEV_EH_EACH_8(op, l, ...) op(8, l) UEV_EH_EACH_7(op, __VA_ARGS__)
#define UEV_EH_EACH_9(op, l, ...) op(9, l) UEV_EH_EACH_8(op, __VA_ARGS__)
#define UEV_EH_EACH_10(op, l, ...) op(10, l) UEV_EH_EACH_9(op, __VA_ARGS__)
#define UEV_EH_EACH_11(op, l, ...) op(11, l) UEV_EH_EACH_10(op, __VA_ARGS__)
#define UEV_EH_EACH_12(op, l, ...) op(12, l) UEV_EH_EACH_11(op, __VA_ARGS__)
#define UEV_EH_EACH_13(op, l, ...) op(13, l) UEV_EH_EACH_12(op, __VA_ARGS__)
#define UEV_EH_EACH_14(op, l, ...) op(14, l) UEV_EH_EACH_13(op, __VA_ARGS__)
#define UEV_EH_EACH_15(op, l, ...) op(15, l) UEV_EH_EACH_14(op, __VA_ARGS__)
#define UEV_EH_EACH_16(op, l, ...) op(16, l) UEV_EH_EACH_15(op, __VA_ARGS__)
#define UEV_EH_EACH_17(op, l, ...) op(17, l) UEV_EH_EACH_16(op, __VA_ARGS__)
#define UEV_EH_EACH_18(op, l, ...) op(18, l) UEV_EH_EACH_17(op, __VA_ARGS__)
#define UEV_EH_EACH_19(op, l, ...) op(19, l) UEV_EH_EACH_18(op, __VA_ARGS__)
#define UEV_EH_EACH_20(op, l, ...) op(20, l) UEV_EH_EACH_19(op, __VA_ARGS__)
#define UEV_EH_EACH_21(op, l, ...) op(21, l) UEV_EH_EACH_20(op, __VA_ARGS__)
#define UEV_EH_EACH_22(op, l, ...) op(22, l) UEV_EH_EACH_21(op, __VA_ARGS__)
#define UEV_EH_EACH_23(op, l, ...) op(23, l) UEV_EH_EACH_22(op, __VA_ARGS__)
#define UEV_EH_EACH_24(op, l, ...) op(24, l) UEV_EH_EACH_23(op, __VA_ARGS__)
#define UEV_EH_EACH_25(op, l, ...) op(25, l) UEV_EH_EACH_24(op, __VA_ARGS__)
#define UEV_EH_EACH_26(op, l, ...) op(26, l) UEV_EH_EACH_25(op, __VA_ARGS__)
#define UEV_EH_EACH_27(op, l, ...) op(27, l) UEV_EH_EACH_26(op, __VA_ARGS__)
#define UEV_EH_EACH_28(op, l, ...) op(28, l) UEV_EH_EACH_27(op, __VA_ARGS__)
#define UEV_EH_EACH_29(op, l, ...) op(29, l) UEV_EH_EACH_28(op, __VA_ARGS__)
#define UEV_EH_EACH_30(op, l, ...) op(30, l) UEV_EH_EACH_29(op, __VA_ARGS__)
#define UEV_EH_EACH_31(op, l, ...) op(31, l) UEV_EH_EACH_30(op, __VA_ARGS__)
#define UEV_EH_EACH_32(op, l, ...) op(32, l) UEV_EH_EACH_31(op, __VA_ARGS__)
#define UEV_EH_EACH_33(op, l, ...) op(33, l) UEV_EH_EACH_32(op, __VA_ARGS__)
#define UEV_EH_EACH_34(op, l, ...) op(34, l) UEV_EH_EACH_33(op, __VA_ARGS__)
#define UEV_EH_EACH_35(op, l, ...) op(35, l) UEV_EH_EACH_34(op, __VA_ARGS__)
#define UEV_EH_EACH_36(op, l, ...) op(36, l) UEV_EH_EACH_35(op, __VA_ARGS__)
#define UEV_EH_EACH_37(op, l, ...) op(37, l) UEV_EH_EACH_36(op, __VA_ARGS__)
#define UEV_EH_EACH_38(op, l, ...) op(38, l) UEV_EH_EACH_37(op, __VA_ARGS__)
#define UEV_EH_EACH_39(op, l, ...) op(39, l) UEV_EH_EACH_38(op, __VA_ARGS__)
#define UEV_EH_EACH_40(op, l, ...) op(40, l) UEV_EH_EACH_39(op, __VA_ARGS__)
#define UEV_EH_EACH_41(op, l, ...) op(41, l) UEV_EH_EACH_40(op, __VA_ARGS__)
#define UEV_EH_EACH_42(op, l, ...) op(42, l) UEV_EH_EACH_41(op, __VA_ARGS__)
#define UEV_EH_EACH_43(op, l, ...) op(43, l) UEV_EH_EACH_42(op, __VA_ARGS__)
#define UEV_EH_EACH_44(op, l, ...) op(44, l) UEV_EH_EACH_43(op, __VA_ARGS__)
#define UEV_EH_EACH_45(op, l, ...) op(45, l) UEV_EH_EACH_44(op, __VA_ARGS__)
#define UEV_EH_EACH_46(op, l, ...) op(46, l) UEV_EH_EACH_45(op, __VA_ARGS__)
#define UEV_EH_EACH_47(op, l, ...) op(47, l) UEV_EH_EACH_46(op, __VA_ARGS__)
#define UEV_EH_EACH_48(op, l, ...) op(48, l) UEV_EH_EACH_47(op, __VA_ARGS__)
#define UEV_EH_EACH_49(op, l, ...) op(49, l) UEV_EH_EACH_48(op, __VA_ARGS__)
#define UEV_EH_EACH_50(op, l, ...) op(50, l) UEV_EH_EACH_49(op, __VA_ARGS__)
#define UEV_EH_EACH_51(op, l, ...) op(51, l) UEV_EH_EACH_50(op, __VA_ARGS__)
#define UEV_EH_EACH_52(op, l, ...) op(52, l) UEV_EH_EACH_51(op, __VA_ARGS__)
#define UEV_EH_EACH_53(op, l, ...) op(53, l) UEV_EH_EACH_52(op, __VA_ARGS__)
#define UEV_EH_EACH_54(op, l, ...) op(54, l) UEV_EH_EACH_53(op, __VA_ARGS__)
#define UEV_EH_EACH_55(op, l, ...) op(55, l) UEV_EH_EACH_54(op, __VA_ARGS__)
#define UEV_EH_EACH_56(op, l, ...) op(56, l) UEV_EH_EACH_55(op, __VA_ARGS__)
#define UEV_EH_EACH_57(op, l, ...) op(57, l) UEV_EH_EACH_56(op, __VA_ARGS__)
#define UEV_EH_EACH_58(op, l, ...) op(58, l) UEV_EH_EACH_57(op, __VA_ARGS__)
#define UEV_EH_EACH_59(op, l, ...) op(59, l) UEV_EH_EACH_58(op, __VA_ARGS__)
#define UEV_EH_EACH_60(op, l, ...) op(60, l) UEV_EH_EACH_59(op, __VA_ARGS__)
#define UEV_EH_EACH_61(op, l, ...) op(61, l) UEV_EH_EACH_60(op, __VA_ARGS__)
#define UEV_EH_EACH_62(op, l, ...) op(62, l) UEV_EH_EACH_61(op, __VA_ARGS__)
#define UEV_EH_EACH_63(op, l, ...) op(63, l) UEV_EH_EACH_62(op, __VA_ARGS__)
#define UEV_EH_EACH_64(op, l, ...) op(64, l) UEV_EH_EACH_63(op, __VA_ARGS__)
#define UEV_EH_EACH_65(op, l, ...) op(65, l) UEV_EH_EACH_64(op, __VA_ARGS__)
#define UEV_EH_EACH_66(op, l, ...) op(66, l) UEV_EH_EACH_65(op, __VA_ARGS__)
#define UEV_EH_EACH_67(op, l, ...) op(67, l) UEV_EH_EACH_66(op, __VA_ARGS__)
#define UEV_EH_EACH_68(op, l, ...) op(68, l) UEV_EH_EACH_67(op, __VA_ARGS__)
#define UEV_EH_EACH_69(op, l, ...) op(69, l) UEV_EH_EACH_68(op, __VA_ARGS__)
#define UEV_EH_EACH_70(op, l, ...) op(70, l) UEV_EH_EACH_69(op, __VA_ARGS__)
#define UEV_EH_EACH_71(op, l, ...) op(71, l) UEV_EH_EACH_70(op, __VA_ARGS__)
#define UEV_EH_EACH_72(op, l, ...) op(72, l) UEV_EH_EACH_71(op, __VA_ARGS__)
#define UEV_EH_EACH_73(op, l, ...) op(73, l) UEV_EH_EACH_72(op, __VA_ARGS__)
#define UEV_EH_EACH_74(op, l, ...) op(74, l) UEV_EH_EACH_73(op, __VA_ARGS__)
#define UEV_EH_EACH_75(op, l, ...) op(75, l) UEV_EH_EACH_74(op, __VA_ARGS__)
#define UEV_EH_EACH_76(op, l, ...) op(76, l) UEV_EH_EACH_75(op, __VA_ARGS__)
#define UEV_EH_EACH_77(op, l, ...) op(77, l) UEV_EH_EACH_76(op, __VA_ARGS__)
#define UEV_EH_EACH_78(op, l, ...) op(78, l) UEV_EH_EACH_77(op, __VA_ARGS__)
#define UEV_EH_EACH_79(op, l, ...) op(79, l) UEV_EH_EACH_78(op, __VA_ARGS__)
#define UEV_EH_EACH_80(op, l, ...) op(80, l) UEV_EH_EACH_79(op, __VA_ARGS__)
#define UEV_EH_EACH_81(op, l, ...) op(81, l) UEV_EH_EACH_80(op, __VA_ARGS__)
#define UEV_EH_EACH_82(op, l, ...) op(82, l) UEV_EH_EACH_81(op, __VA_ARGS__)
#define UEV_EH_EACH_83(op, l, ...) op(83, l) UEV_EH_EACH_82(op, __VA_ARGS__)
#define UEV_EH_EACH_84(op, l, ...) op(84, l) UEV_EH_EACH_83(op, __VA_ARGS__)
#define UEV_EH_EACH_85(op, l, ...) op(85, l) UEV_EH_EACH_84(op, __VA_ARGS__)
#define UEV_EH_EACH_86(op, l, ...) op(86, l) UEV_EH_EACH_85(op, __VA_ARGS__)
#define UEV_EH_EACH_87(op, l, ...) op(87, l) UEV_EH_EACH_86(op, __VA_ARGS__)
#define UEV_EH_EACH_88(op, l, ...) op(88, l) UEV_EH_EACH_87(op, __VA_ARGS__)
#define UEV_EH_EACH_89(op, l, ...) op(89, l) UEV_EH_EACH_88(op, __VA_ARGS__)
#define UEV_EH_EACH_90(op, l, ...) op(90, l) UEV_EH_EACH_89(op, __VA_ARGS__)
#define UEV_EH_EACH_91(op, l, ...) op(91, l) UEV_EH_EACH_90(op, __VA_ARGS__)
#define UEV_EH_EACH_92(op, l, ...) op(92, l) UEV_EH_EACH_91(op, __VA_ARGS__)
#define UEV_EH_EACH_93(op, l, ...) op(93, l) UEV_EH_EACH_92(op, __VA_ARGS__)
#define UEV_EH_EACH_94(op, l, ...) op(94, l) UEV_EH_EACH_93(op, __VA_ARGS__)
#define UEV_EH_EACH_95(op, l, ...) op(95, l) UEV_EH_EACH_94(op, __VA_ARGS__)
#define UEV_EH_EACH_96(op, l, ...) op(96, l) UEV_EH_EACH_95(op, __VA_ARGS__)
#define UEV_EH_EACH_97(op, l, ...) op(97, l) UEV_EH_EACH_96(op, __VA_ARGS__)
#define UEV_EH_EACH_98(op, l, ...) op(98, l) UEV_EH_EACH_97(op, __VA_ARGS__)
#define UEV_EH_EACH_99(op, l, ...) op(99, l) UEV_EH_EACH_98(op, __VA_ARGS__)
#define UEV_EH_EACH_100(op, l, ...) op(100, l) UEV_EH_EACH_99(op, __VA_ARGS__)
/* clang-format on */

/*
 * UEV_EH_SOME_OR_ONE_(list...): SOME for several lists, ONE for a single one.
 */
#define UEV_EH_SOME_OR_ONE_(...) \
	UEV_EH_CALL_(UEV_EH_AT_, __VA_ARGS__, UEV_EH_SOME_)

#define UEV_EH_CAT_(a, b) UEV_EH_CAT_2_(a, b)
#define UEV_EH_CAT_2_(a, b) a##b
#define UEV_EH_TEXT_(a) UEV_EH_TEXT_2_(a)
#define UEV_EH_TEXT_2_(a) #a
#define UEV_EH_CALL_(macro, ...) macro(__VA_ARGS__)
#define UEV_EH_OPEN_(...) __VA_ARGS__

/*
 * UEV_EH_KIND_(argument): LIST for a list, OTHER for anything else, such as a
 * macro that does not exist. UEV_EH_ITEMS_(argument): the items of a list, and
 * those of an empty one for anything else, which UEV_EH_CHECK_() reports.
 */
#define UEV_EH_IS_LIST_(...) 0, LIST
#define UEV_EH_SECOND_(first, second, ...) second
#define UEV_EH_KIND_(list) \
	UEV_EH_CALL_(UEV_EH_SECOND_, UEV_EH_IS_LIST_ list, OTHER, 0)
#define UEV_EH_ITEMS_(list) UEV_EH_CAT_(UEV_EH_ITEMS_, UEV_EH_KIND_(list))(list)
#define UEV_EH_ITEMS_LIST(list) UEV_EH_OPEN_ list
#define UEV_EH_ITEMS_OTHER(list) UEV_EH_ITEMS_LIST(UEV_EH_END_)

#ifdef __cplusplus
#define UEV_EH_ASSERT_(condition, text) static_assert(condition, text)
#else
#define UEV_EH_ASSERT_(condition, text) _Static_assert(condition, text)
#endif

/*
 * The sets of a provider, one per level and keyword.
 *
 * A set is a struct uev_event that the assembler reserves, in a section group
 * of which the linker keeps one per linked object. Its name consists of the
 * numbers that the compiler has computed, so it does not depend on the spelling
 * of level and keyword. The same group has an entry of the provider's table,
 * which is how the provider finds the set.
 *
 * The keyword is in three parts, because some compilers cannot print a 64-bit
 * number.
 */

/**
 * struct uev_eh_event_set - An entry of the table, as emitted by the assembler
 * @event: the event of the set
 * @provider: the provider's struct uev_eh_provider
 * @level: level of the set
 * @keyword: keyword of the set, in parts of 24, 24 and 16 bits, the lowest first
 */
struct uev_eh_event_set {
	struct uev_event *event;
	const void *provider;
	uint32_t level;
	uint32_t keyword[3];
};

#define UEV_EH_SYMBOL_(provider)                             \
	"uev_set." provider "." UEV_INT_ "[level]." UEV_INT_ \
	"[high]." UEV_INT_ "[middle]." UEV_INT_ "[low]"

#define UEV_EH_DEFINE_(symbol, provider)                                     \
	".ifndef " symbol "\n"                                               \
	"\t.pushsection .bss." symbol ", \"awG\", %%nobits, " symbol         \
	", comdat\n"                                                         \
	"\t.balign 8\n"                                                      \
	"\t.weak " symbol "\n"                                               \
	"\t.hidden " symbol "\n"                                             \
	"\t.type " symbol ", %%object\n"                                     \
	"\t.size " symbol ", " UEV_INT_ "[size]\n" symbol ":\n"              \
	"\t.zero " UEV_INT_ "[size]\n"                                       \
	"\t.popsection\n"                                                    \
	"\t.pushsection uev_sets_" provider ", \"awG\", %%progbits, " symbol \
	", comdat\n"                                                         \
	"\t.balign 8\n"                                                      \
	"\t.dc.a " symbol "\n"                                               \
	"\t.dc.a " provider "\n"                                             \
	"\t.long " UEV_INT_ "[level], " UEV_INT_ "[low], " UEV_INT_          \
	"[middle], " UEV_INT_ "[high]\n"                                     \
	"\t.popsection\n"                                                    \
	".endif\n"

/* Loads the address of a symbol of the same object into a register. */
#if defined(__x86_64__)
#define UEV_EH_ADDRESS_(symbol) \
	"\t{leaq " symbol "(%%rip), %[set]|lea %[set], " symbol "[rip]}"
#elif defined(__aarch64__)
#define UEV_EH_ADDRESS_(symbol) \
	"\tadrp %[set], " symbol "\n\tadd %[set], %[set], :lo12:" symbol
#elif defined(__riscv)
#define UEV_EH_ADDRESS_(symbol) "\tlla %[set], " symbol
#elif defined(__s390x__)
#define UEV_EH_ADDRESS_(symbol) "\tlarl %[set], " symbol
#endif

#define UEV_EH_OPERANDS_(l, k)                                                 \
	[size] "i"(sizeof(struct uev_event)),                                  \
		[level] "i"(UEV_EH_NUMBER_(int, l)),                           \
		[low] "i"(UEV_CAST_(int,                                       \
				    UEV_EH_NUMBER_(uint64_t, k) << 40 >> 40)), \
		[middle] "i"(UEV_CAST_(                                        \
			int, UEV_EH_NUMBER_(uint64_t, k) << 16 >> 40)),        \
		[high] "i"(UEV_CAST_(int, UEV_EH_NUMBER_(uint64_t, k) >> 48))

#ifdef UEV_EH_ADDRESS_
#define UEV_EH_FIND_(found, provider, level, keyword)                         \
	__asm__ __inline__(UEV_EH_DEFINE_(UEV_EH_SYMBOL_(provider), provider) \
				   UEV_EH_ADDRESS_(UEV_EH_SYMBOL_(provider))  \
			   : [set] "=r"(found)                                \
			   : UEV_EH_OPERANDS_(level, keyword))
#else
/* Other processors load a pointer, which costs one more load. */
#define UEV_EH_FIND_(found, provider, level, keyword)   \
	UEV_EH_FIND_2_(found, provider, level, keyword, \
		       UEV_EH_CAT_(uev_eh_pointer_, __COUNTER__))
#define UEV_EH_FIND_2_(found, provider, level, keyword, pointer) \
	UEV_EH_FIND_3_(found, provider, level, keyword, pointer)
#define UEV_EH_FIND_3_(found, provider, level, keyword, pointer)                        \
	do {                                                                            \
		extern struct uev_event *const pointer __asm__(#pointer)                \
			__attribute__((__visibility__("hidden")));                      \
		__asm__ __volatile__(                                                   \
			UEV_EH_DEFINE_(                                                 \
				UEV_EH_SYMBOL_(provider),                               \
				provider) ".ifndef " #pointer "\n"                      \
					  "\t.pushsection .data.rel.ro.local, \"aw\", " \
					  "%%progbits\n"                                \
					  "\t.balign 8\n" #pointer ":\n"                \
					  "\t.dc.a " UEV_EH_SYMBOL_(                    \
						  provider) "\n"                        \
							    "\t.popsection\n"           \
							    ".endif\n"                  \
			:                                                               \
			: UEV_EH_OPERANDS_(level, keyword));                            \
		(found) = pointer;                                                      \
	} while (0)
#endif

/* In C, gcc treats computable expressions as constant, such as x | 1 != 0. */
#ifdef __cplusplus
#define UEV_EH_IS_CONSTANT_(value) ((UEV_EH_NUMBER_(uint64_t, value) | 1U) != 0)
#else
#define UEV_EH_IS_CONSTANT_(value) __builtin_constant_p(value)
#endif

/* The assembler knows the provider by its identifier, which has C linkage. */
#ifdef __cplusplus
#define UEV_EH_CHECK_IDENTIFIER_(provider)                             \
	UEV_EH_ASSERT_(!__builtin_strchr(UEV_EH_TEXT_(provider), ':'), \
		       "provider must be an identifier without namespace")
#else
#define UEV_EH_CHECK_IDENTIFIER_(provider) UEV_EH_ASSERT_(1, "")
#endif

#define UEV_EH_CHECK_SET_(provider, level, keyword)    \
	UEV_EH_CHECK_IDENTIFIER_(provider);            \
	UEV_EH_ASSERT_((level) >= 1 && (level) <= 255, \
		       "level must be 1 to 255");      \
	UEV_EH_ASSERT_(UEV_EH_IS_CONSTANT_(keyword),   \
		       "keyword must be a constant")

/* Returns a pointer to the event of a set. */
#ifdef UEV_DISABLE
#define UEV_EH_SET_(provider, level, keyword)                          \
	__extension__({                                                \
		UEV_EH_CHECK_SET_(provider, level, keyword);           \
		(void)sizeof(provider);                                \
		UEV_CAST_(struct uev_event *, uev_disabled_object_()); \
	})
#else
#define UEV_EH_SET_(provider, level, keyword)                         \
	__extension__({                                               \
		struct uev_event *uev_set_;                           \
		UEV_EH_CHECK_SET_(provider, level, keyword);          \
		UEV_EH_FIND_(uev_set_, UEV_EH_TEXT_(provider), level, \
			     keyword);                                \
		uev_set_;                                             \
	})
#endif

/*
 * Checks of names. C++ checks all rules, gcc all but the order of attributes.
 * The library checks the name of the provider again when it is registered,
 * because clang misses errors in C.
 */
#define UEV_EH_NAME_SET_                                       \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" \
	"0123456789_"
#define UEV_EH_GROUP_SET_ "abcdefghijklmnopqrstuvwxyz0123456789"

#define UEV_EH_BAD_NAME_ "attributes must be name;attribute=value, without NUL"
#define UEV_EH_BAD_PROVIDER_ \
	"provider must have only letters, digits and underscores"
#define UEV_EH_BAD_GROUP_ "group must have only lower-case letters and digits"

#if defined(__cplusplus)
constexpr bool uev_eh_has_only_(const char *text, size_t length,
				const char *set)
{
	for (size_t i = 0; i < length; i++) {
		const char *c = set;

		while (*c && *c != text[i])
			c++;
		if (!*c)
			return false;
	}
	return true;
}

constexpr bool uev_eh_is_name_(const char *text, size_t length)
{
	size_t i = 0;

	while (i < length && text[i] && text[i] != ';')
		i++;
	while (i < length) {
		size_t attribute = i + 1;

		if (text[i] != ';')
			return false;
		for (i++; i < length && text[i] != '='; i++)
			if (!text[i] || text[i] == ';')
				return false;
		if (i == length || i == attribute)
			return false;
		for (; i < length; i++) {
			if (!text[i])
				return false;
			if (text[i] != ';')
				continue;
			if (i + 1 == length || text[i + 1] != ';')
				break;
			i++;
		}
	}
	return true;
}

#define UEV_EH_CHECK_NAME_(name)                                \
	UEV_EH_ASSERT_(uev_eh_is_name_(name, sizeof(name) - 1), \
		       UEV_EH_BAD_NAME_)
#define UEV_EH_CHECK_PROVIDER_(name, group)                       \
	UEV_EH_ASSERT_(uev_eh_has_only_(name, sizeof(name) - 1,   \
					UEV_EH_NAME_SET_),        \
		       UEV_EH_BAD_PROVIDER_);                     \
	UEV_EH_ASSERT_(uev_eh_has_only_(group, sizeof(group) - 1, \
					UEV_EH_GROUP_SET_),       \
		       UEV_EH_BAD_GROUP_)

#elif defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
#define UEV_EH_HAS_(text, character) __builtin_strchr(text, character)
static inline char uev_eh_check_name_(const char *name) __attribute__((
	diagnose_if(UEV_EH_HAS_(name, ';') && !UEV_EH_HAS_(name, '='),
		    "attributes must be name;attribute=value", "error")));

static inline void uev_eh_check_provider_(const char *name, const char *group)
	__attribute__((diagnose_if(
		UEV_EH_HAS_(name, ' ') || UEV_EH_HAS_(name, '.') ||
			UEV_EH_HAS_(name, ':') || UEV_EH_HAS_(name, '/') ||
			UEV_EH_HAS_(name, '-') || UEV_EH_HAS_(name, ';'),
		UEV_EH_BAD_PROVIDER_, "error")))
	__attribute__((diagnose_if(
		UEV_EH_HAS_(group, ' ') || UEV_EH_HAS_(group, '.') ||
			UEV_EH_HAS_(group, ':') || UEV_EH_HAS_(group, '/') ||
			UEV_EH_HAS_(group, '-') || UEV_EH_HAS_(group, '_'),
		UEV_EH_BAD_GROUP_, "error")));
#undef UEV_EH_HAS_
#pragma clang diagnostic pop

static inline char uev_eh_check_name_(const char *name)
{
	(void)name;
	return 0;
}

static inline void uev_eh_check_provider_(const char *name, const char *group)
{
	(void)name;
	(void)group;
}

#define UEV_EH_CHECK_PROVIDER_(name, group) uev_eh_check_provider_(name, group)
/* A declaration, as those behind it */
#define UEV_EH_CHECK_NAME_(name) \
	UEV_EH_ASSERT_(sizeof(uev_eh_check_name_(name)), UEV_EH_BAD_NAME_)

#else
#define UEV_EH_ATTRIBUTES_(name) ((name) + __builtin_strcspn(name, ";"))
#define UEV_EH_CHECK_NAME_(name)                                                \
	UEV_EH_ASSERT_(                                                         \
		__builtin_strlen(name) == sizeof(name) - 1 &&                   \
			(__builtin_strcspn(name, ";") == sizeof(name) - 1 ||    \
			 (__builtin_strspn(UEV_EH_ATTRIBUTES_(name), ";") ==    \
				  1 &&                                          \
			  __builtin_strcspn(UEV_EH_ATTRIBUTES_(name), "=") >    \
				  1 &&                                          \
			  __builtin_strcspn(UEV_EH_ATTRIBUTES_(name), "=") <    \
				  __builtin_strlen(UEV_EH_ATTRIBUTES_(name)))), \
		UEV_EH_BAD_NAME_)
#define UEV_EH_CHECK_PROVIDER_(name, group)                          \
	UEV_EH_ASSERT_(__builtin_strspn(name, UEV_EH_NAME_SET_) ==   \
			       sizeof(name) - 1,                     \
		       UEV_EH_BAD_PROVIDER_);                        \
	UEV_EH_ASSERT_(__builtin_strspn(group, UEV_EH_GROUP_SET_) == \
			       sizeof(group) - 1,                    \
		       UEV_EH_BAD_GROUP_)
#endif

/* Providers. */

/**
 * struct uev_eh_provider - A provider of UEV_PROVIDER()
 * @size: sizeof(struct uev_event) when the program was compiled
 * @result: error of the registration, or 0
 * @name: name of the provider
 * @group: group of the provider, "" for none
 * @begin: the first set
 * @end: the set after the last
 * @events: private to the library, NULL while the sets are not registered
 * @reserved: NULL
 */
struct uev_eh_provider {
	uint32_t size;
	int result;
	const char *name;
	const char *group;
	const struct uev_eh_event_set *begin;
	const struct uev_eh_event_set *end;
	struct uev_event **events;
	void *reserved[4];
};

/* gcc must not rename it, because the assembler uses the name. */
#ifdef __clang__
#define UEV_EH_KNOWN_ __visibility__("hidden")
#else
#define UEV_EH_KNOWN_ __externally_visible__, __visibility__("hidden")
#endif

/*
 * UEV_EH_DEFINE_PROVIDER_() - Defines a provider that is not registered
 * @group_text: pointer to the same text as the literal @provider_group
 */
#ifdef UEV_DISABLE
#define UEV_EH_PROVIDER_(provider, name, group) \
	UEV_EH_DEFINE_PROVIDER_(provider, name, group, group)

#define UEV_EH_DEFINE_PROVIDER_(provider, provider_name, provider_group, \
				group_text)                              \
	UEV_BEGIN_DECLS                                                  \
	extern struct uev_eh_provider provider UEV_INTERNAL_;            \
	struct uev_eh_provider provider = {                              \
		0,    0,    provider_name, group_text,                   \
		NULL, NULL, NULL,	   { NULL, NULL, NULL, NULL },   \
	};                                                               \
	static inline __attribute__((__unused__)) void UEV_EH_CAT_(      \
		uev_eh_check_, provider)(void)                           \
	{                                                                \
		UEV_EH_CHECK_PROVIDER_(provider_name, provider_group);   \
	}                                                                \
	UEV_END_DECLS                                                    \
	UEV_EH_ASSERT_(sizeof(provider_name) > 1,                        \
		       "provider name must not be empty")
#else
#define UEV_EH_PROVIDER_(provider, name, group)                   \
	UEV_EH_DEFINE_PROVIDER_(provider, name, group, group);    \
	UEV_BEGIN_DECLS                                           \
	static __attribute__((__constructor__)) void UEV_EH_CAT_( \
		uev_eh_load_, provider)(void)                     \
	{                                                         \
		(void)uev_eh_provider_load(&provider);            \
	}                                                         \
	UEV_END_DECLS                                             \
	UEV_EH_ASSERT_(sizeof(name) > 1, "provider name must not be empty")

#define UEV_EH_DEFINE_PROVIDER_(provider, provider_name, provider_group,       \
				group_text)                                    \
	UEV_EH_ASSERT_(sizeof(provider_name) > 1,                              \
		       "provider name must not be empty");                     \
	UEV_EH_ASSERT_(sizeof(provider_name) - 1 + sizeof(provider_group) -    \
				       1 <=                                    \
			       UEV_EVENTHEADER_PROVIDER_MAX,                   \
		       "provider and group too long");                         \
	UEV_BEGIN_DECLS                                                        \
	extern const struct uev_eh_event_set UEV_EH_CAT_(                      \
		__start_uev_sets_, provider)[] UEV_INTERNAL_;                  \
	extern const struct uev_eh_event_set UEV_EH_CAT_(                      \
		__stop_uev_sets_, provider)[] UEV_INTERNAL_;                   \
	extern struct uev_eh_provider provider __attribute__((UEV_EH_KNOWN_)); \
	__attribute__((__used__)) struct uev_eh_provider provider = {          \
		sizeof(struct uev_event),                                      \
		0,                                                             \
		provider_name,                                                 \
		group_text,                                                    \
		UEV_EH_CAT_(__start_uev_sets_, provider),                      \
		UEV_EH_CAT_(__stop_uev_sets_, provider),                       \
		NULL,                                                          \
		{ NULL, NULL, NULL, NULL },                                    \
	};                                                                     \
	static __attribute__((__destructor__)) void UEV_EH_CAT_(               \
		uev_eh_unload_, provider)(void)                                \
	{                                                                      \
		UEV_EH_CHECK_PROVIDER_(provider_name, provider_group);         \
		uev_eh_provider_unload(&provider);                             \
	}                                                                      \
	UEV_END_DECLS                                                          \
	UEV_EH_ASSERT_(sizeof(provider_name) > 1,                              \
		       "provider name must not be empty")
#endif

UEV_BEGIN_DECLS

/**
 * uev_eh_provider_load() - Registers all sets of a provider
 * @provider: from UEV_PROVIDER()
 *
 * Called before main() or by dlopen().
 *
 * Return: 0, also if the kernel rejects some or user_events does not exist;
 * -EINVAL for an invalid name; -ENOMEM.
 */
UEV_API int uev_eh_provider_load(struct uev_eh_provider *provider);

/**
 * uev_eh_provider_unload() - Unregisters all sets of a provider
 * @provider: from UEV_PROVIDER()
 *
 * Called after main() or by dlclose().
 */
UEV_API void uev_eh_provider_unload(struct uev_eh_provider *provider);

/**
 * uev_eh_provider_status() - Implements UEV_PROVIDER_STATUS()
 * @provider: from UEV_PROVIDER()
 *
 * Return: as UEV_PROVIDER_STATUS().
 */
UEV_API int uev_eh_provider_status(const struct uev_eh_provider *provider);

/**
 * uev_eh_activity() - Inserts an activity before the metadata
 * @vector: set to the resulting bytes
 * @front: buffer of @size + UEV_EH_ACTIVITY_MAX_ bytes
 * @fixed: header and metadata
 * @size: bytes of @fixed
 * @activity: UEV_ACTIVITY_SIZE bytes, or NULL for none
 * @related: UEV_ACTIVITY_SIZE bytes, or NULL for none
 *
 * Return: 0; -EINVAL for @related without @activity.
 */
UEV_API int uev_eh_activity(struct iovec *vector, uint8_t *front,
			    const void *fixed, size_t size,
			    const void *activity, const void *related);

#define UEV_EH_ACTIVITY_MAX_ \
	(sizeof(struct uev_extension) + 2 * UEV_ACTIVITY_SIZE)

/*
 * struct uev_eh_cursor_ - State of the collection of payload parts
 * @next: the vector of the next part
 * @run: start of the part that is copied
 * @at: end of the last copied value
 */
struct uev_eh_cursor_ {
	struct iovec *next;
	uint8_t *run;
	uint8_t *at;
};

/* Bytes that are only read, for an iovec, which has pointers to any data */
static inline uint8_t *uev_eh_bytes_(const void *data)
{
#ifdef __cplusplus
	return static_cast<uint8_t *>(const_cast<void *>(data));
#else
	return (uint8_t *)(uintptr_t)data;
#endif
}

/* Counts an event that is not written, and returns the error. */
static inline int uev_eh_count_(struct uev_event *event, int err)
{
	uev_event_count(event, UEV_COUNTER_FAILED);

	return err;
}

/* Finishes the part that is copied. */
static inline void uev_eh_flush_(struct uev_eh_cursor_ *cursor)
{
	if (cursor->at == cursor->run)
		return;
	cursor->next->iov_base = cursor->run;
	cursor->next->iov_len = UEV_CAST_(size_t, cursor->at - cursor->run);
	cursor->next++;
	cursor->run = cursor->at;
}

/* Adds a part that is copied. */
static inline void uev_eh_copy_(struct uev_eh_cursor_ *cursor, const void *data,
				size_t size)
{
	memcpy(cursor->at, data, size);
	cursor->at += size;
}

/* Adds a part that is not copied. */
static inline void uev_eh_put_(struct uev_eh_cursor_ *cursor, const void *data,
			       size_t size)
{
	if (!size)
		return;
	uev_eh_flush_(cursor);
	cursor->next->iov_base = uev_eh_bytes_(data);
	cursor->next->iov_len = size;
	cursor->next++;
}

/*
 * Adds header and metadata as the first part. Copied in front of the values, they
 * are one part together, which the library does not have to copy.
 */
static inline void uev_eh_start_(struct uev_eh_cursor_ *cursor,
				 const void *fixed, size_t size, bool copies)
{
	if (copies)
		uev_eh_copy_(cursor, fixed, size);
	else
		uev_eh_put_(cursor, fixed, size);
}

/*
 * Adds a number of units. If it exceeds the count field, the size exceeds that
 * of a record, which is rejected, too.
 */
static inline void uev_eh_put_counted_(struct uev_eh_cursor_ *cursor,
				       const void *data, size_t number,
				       size_t unit)
{
	const uint16_t count = UEV_CAST_(uint16_t, number);

	uev_eh_copy_(cursor, &count, sizeof(count));
	uev_eh_put_(cursor, data,
		    (number > UEV_COUNT_MAX
			     ? UEV_COUNT_MAX + UEV_CAST_(size_t, 1)
			     : number) *
			    unit);
}

/* Returns the number of units including the terminator. */
static inline size_t uev_eh_units_(const void *text, size_t unit)
{
	static const uint8_t zero[4] = { 0, 0, 0, 0 };
	const uint8_t *at = UEV_CAST_(const uint8_t *, text);
	size_t count = 1;

	if (unit == 1)
		return strlen(UEV_CAST_(const char *, text)) + 1;
	for (; memcmp(at, zero, unit) != 0; count++)
		at += unit;
	return count;
}

/* Adds units up to the terminator. A NULL string is an empty string. */
static inline void uev_eh_put_zero_(struct uev_eh_cursor_ *cursor,
				    const void *text, size_t unit)
{
	if (!text)
		text = "\0\0\0";
	uev_eh_put_(cursor, text, uev_eh_units_(text, unit) * unit);
}

static inline struct uev_value128 uev_eh_load_(const void *bytes)
{
	struct uev_value128 value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

UEV_END_DECLS

/* Lists. */
#define UEV_EH_FIELD_(...) (__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define UEV_EH_OPTION_(opcode, id, version, tag, level, keyword)           \
	(3, 0, uev_none, uev_none, "", 0, 0, 0, 0, char, 0, 0, opcode, id, \
	 version, tag, level, keyword)
#define UEV_EH_END_ UEV_EH_OPTION_(0, 0, 0, 0, 0, 0)

/*
 * Names of types and formats from the caller. They are pasted before any
 * expansion, because they could be macros of the program, too.
 */
#define UEV_EH_META_DEFAULT 0
#define UEV_EH_META_UNSIGNED 1
#define UEV_EH_META_SIGNED 1
#define UEV_EH_META_HEX 1
#define UEV_EH_META_ERRNO 1
#define UEV_EH_META_PID 1
#define UEV_EH_META_TIME 1
#define UEV_EH_META_BOOLEAN 1
#define UEV_EH_META_FLOAT 1
#define UEV_EH_META_HEX_BYTES 1
#define UEV_EH_META_STRING8 1
#define UEV_EH_META_STRING_UTF 1
#define UEV_EH_META_STRING_UTF_BOM 1
#define UEV_EH_META_STRING_XML 1
#define UEV_EH_META_STRING_JSON 1
#define UEV_EH_META_UUID 1
#define UEV_EH_META_PORT 1
#define UEV_EH_META_IP_ADDRESS 1

/* Units of strings. */
#define UEV_EH_UNIT_ZSTRING8 uint8_t
#define UEV_EH_UNIT_ZSTRING16 uint16_t
#define UEV_EH_UNIT_ZSTRING32 uint32_t
#define UEV_EH_UNIT_STRING8 uint8_t
#define UEV_EH_UNIT_STRING16 uint16_t
#define UEV_EH_UNIT_STRING32 uint32_t

/* Changes the tag of one list of several. */
#define UEV_EH_RETAG_(tag, list) \
	UEV_EH_CAT_(UEV_EH_RETAG_, UEV_EH_KIND_(list))(tag, list)
#define UEV_EH_RETAG_OTHER(tag, list) list
#define UEV_EH_RETAG_LIST(tag, list) \
	UEV_EH_CALL_(UEV_EH_RETAG_LIST_, tag, UEV_EH_OPEN_ list)
#define UEV_EH_RETAG_LIST_(new_tag, meta, counted, argument, data, name, \
			   encoding, format, tag, ...)                   \
	(2, counted, argument, data, name, encoding, format, new_tag,    \
	 __VA_ARGS__)
#define UEV_EH_TAGGED_ONE(tag, list) UEV_EH_RETAG_(tag, list)
#define UEV_EH_TAGGED_SOME(tag, list, ...) UEV_EH_RETAG_(tag, list), __VA_ARGS__

/* Members of the metadata's type. */
#define UEV_EH_DECLARE_(i, list) \
	UEV_EH_CALL_(UEV_EH_DECLARE_LIST_, i, UEV_EH_ITEMS_(list))
#define UEV_EH_DECLARE_LIST_(i, meta, counted, argument, data, name, ...) \
	UEV_EH_DECLARE_META_##meta(i, name) UEV_EH_DECLARE_COUNT_##counted(i)
#define UEV_EH_DECLARE_META_0(i, name)   \
	char uev_name_##i[sizeof(name)]; \
	uint8_t uev_encoding_##i;
#define UEV_EH_DECLARE_META_1(i, name) \
	UEV_EH_DECLARE_META_0(i, name) \
	uint8_t uev_format_##i;
#define UEV_EH_DECLARE_META_2(i, name) \
	UEV_EH_DECLARE_META_1(i, name) \
	uint16_t uev_tag_##i;
#define UEV_EH_DECLARE_META_3(i, name)
#define UEV_EH_DECLARE_COUNT_0(i)
#define UEV_EH_DECLARE_COUNT_1(i) uint16_t uev_count_##i;

/* Initializers of these members. */
#define UEV_EH_FILL_(i, list) \
	UEV_EH_CALL_(UEV_EH_FILL_LIST_, i, UEV_EH_ITEMS_(list))
#define UEV_EH_FILL_LIST_(i, meta, counted, argument, data, name, encoding, \
			  format, tag, count, ...)                          \
	UEV_EH_FILL_META_##meta(name, encoding, format, tag)                \
		UEV_EH_FILL_COUNT_##counted(count)
#define UEV_EH_FILL_META_0(name, encoding, format, tag) \
	name, UEV_EH_NUMBER_(uint8_t, encoding),
#define UEV_EH_FILL_META_1(name, encoding, format, tag)                 \
	name, UEV_EH_NUMBER_(uint8_t, (encoding) | UEV_ENCODING_CHAIN), \
		UEV_EH_NUMBER_(uint8_t, format),
#define UEV_EH_FILL_META_2(name, encoding, format, tag)                 \
	name, UEV_EH_NUMBER_(uint8_t, (encoding) | UEV_ENCODING_CHAIN), \
		UEV_EH_NUMBER_(uint8_t, (format) | UEV_FORMAT_CHAIN),   \
		UEV_EH_NUMBER_(uint16_t, tag),
#define UEV_EH_FILL_META_3(name, encoding, format, tag)
#define UEV_EH_FILL_COUNT_0(count)
#define UEV_EH_FILL_COUNT_1(count) UEV_EH_NUMBER_(uint16_t, count),

/* Compile-time checks of a field. */
#define UEV_EH_CHECK_(i, list) \
	UEV_EH_CAT_(UEV_EH_CHECK_, UEV_EH_KIND_(list))(i, list)
#define UEV_EH_CHECK_OTHER(i, list) \
	UEV_EH_ASSERT_(0, "not a field or an option: " #list);
#define UEV_EH_CHECK_LIST(i, list) \
	UEV_EH_CALL_(UEV_EH_CHECK_LIST_, i, UEV_EH_OPEN_ list)
#define UEV_EH_CHECK_LIST_(i, meta, counted, argument, data, name, encoding, \
			   format, tag, count, type, value, ...)             \
	UEV_EH_CHECK_META_##meta(name, encoding, format, tag)                \
		UEV_EH_CHECK_COUNT_##counted(count)                          \
			UEV_EH_CHECK_ARGUMENT_##argument(type, value)
#define UEV_EH_CHECK_META_0(name, encoding, format, tag) \
	UEV_EH_CHECK_NAME_(name);                        \
	UEV_EH_ASSERT_(UEV_EH_FITS_(encoding, format),   \
		       "encoding and format do not match");
#define UEV_EH_CHECK_META_1(name, encoding, format, tag) \
	UEV_EH_CHECK_META_0(name, encoding, format, tag)
#define UEV_EH_CHECK_META_2(name, encoding, format, tag) \
	UEV_EH_CHECK_META_0(name, encoding, format, tag) \
	UEV_EH_ASSERT_((tag) > 0 && (tag) <= UINT16_MAX, \
		       "tag must be 1 to 65535");
#define UEV_EH_CHECK_META_3(name, encoding, format, tag)
#define UEV_EH_CHECK_COUNT_0(count)
#define UEV_EH_CHECK_COUNT_1(count)                             \
	UEV_EH_ASSERT_((count) > 0 && (count) <= UEV_COUNT_MAX, \
		       "constant array must have 1 to 65535 elements");

/* The format of a struct is its number of members. */
#define UEV_EH_FITS_(encoding, format)                                 \
	(((encoding)&UEV_ENCODING_TYPE) == UEV_ENCODING_STRUCT         \
		 ? (format) >= 1 && (format) <= UEV_STRUCT_MEMBERS_MAX \
		 : (UEV_FORMATS_OF((encoding)&UEV_ENCODING_TYPE) >>    \
			    ((format)&31) &                            \
		    1) == 1)

/* Compile-time check of an argument. */
#define UEV_EH_CHECK_ARGUMENT_uev_none(type, value)
#define UEV_EH_CHECK_ARGUMENT_uev_value(type, value)
#define UEV_EH_CHECK_ARGUMENT_uev_typed(type, value)
#define UEV_EH_CHECK_ARGUMENT_uev_sized(type, value)     \
	UEV_EH_ASSERT_(sizeof(*(value)) == sizeof(type), \
		       "units of another size");
#define UEV_EH_CHECK_ARGUMENT_uev_bytes(type, value)
#define UEV_EH_CHECK_ARGUMENT_uev_pointers(type, value)       \
	UEV_EH_ASSERT_(UEV_EH_IS_POINTER_TO_POINTERS_(value), \
		       "not a pointer to pointers");

/* An argument as a pointer. */
#define UEV_EH_POINTER_uev_typed(type, value) \
	UEV_EH_CONVERT_(type const *, value)
#define UEV_EH_POINTER_uev_sized(type, value) (value)
#define UEV_EH_POINTER_uev_bytes(type, value) (value)
/*
 * C++ converts a void ** to a pointer to constant pointers. C converts it only to
 * a void *, as any pointer.
 */
#ifdef __cplusplus
#define UEV_EH_IS_POINTER_TO_POINTERS_(value) true
#define UEV_EH_POINTER_uev_pointers(type, value) \
	UEV_EH_POINTER_uev_typed(type, value)
#else
#define UEV_EH_IS_POINTER_TO_POINTERS_(value) \
	UEV_EH_IS_POINTER_(*_Generic((value), \
		void *: (void **)0,           \
		const void *: (void **)0,     \
		default: (value)))
#define UEV_EH_POINTER_uev_pointers(type, value) (value)
#endif

/* Number of copied bytes, */
#define UEV_EH_COPIED_(i, list) \
	UEV_EH_CALL_(UEV_EH_COPIED_LIST_, i, UEV_EH_ITEMS_(list))
#define UEV_EH_COPIED_LIST_(i, meta, counted, argument, data, name, encoding, \
			    format, tag, count, type, ...)                    \
	UEV_EH_COPIED_##data(type)
#define UEV_EH_COPIED_uev_none(type)
#define UEV_EH_COPIED_uev_activity(type)
#define UEV_EH_COPIED_uev_scalar(type) +sizeof(type)
#define UEV_EH_COPIED_uev_counted(type) +sizeof(uint16_t)
#define UEV_EH_COPIED_uev_fixed(type)
#define UEV_EH_COPIED_uev_zero(type)

/*
 * the operands of the comma expression that evaluates each argument once and
 * interleaves copied values with parts that are not copied,
 */
#define UEV_EH_GATHER_(i, list) \
	UEV_EH_CALL_(UEV_EH_GATHER_LIST_, i, UEV_EH_ITEMS_(list))
#define UEV_EH_GATHER_LIST_(i, meta, counted, argument, data, name, encoding, \
			    format, tag, count, type, value, number, ...)     \
	UEV_EH_GATHER_##data(argument, type, value, number)
#define UEV_EH_GATHER_uev_none(argument, type, value, number)
#define UEV_EH_GATHER_uev_activity(argument, type, activity, related)  \
	uev_result_ = uev_eh_activity(&uev_vector_[0], uev_front_,     \
				      &uev_fixed_, sizeof(uev_fixed_), \
				      activity, related),
#define UEV_EH_GATHER_uev_scalar(argument, type, value, number) \
	UEV_EH_COPY_VALUE_(&uev_cursor_, type, value),
#define UEV_EH_GATHER_uev_counted(argument, type, value, number)    \
	uev_eh_put_counted_(&uev_cursor_,                           \
			    UEV_EH_POINTER_##argument(type, value), \
			    UEV_EH_NUMBER_(size_t, number), sizeof(type)),
#define UEV_EH_GATHER_uev_fixed(argument, type, value, number)            \
	uev_eh_put_(&uev_cursor_, UEV_EH_POINTER_##argument(type, value), \
		    sizeof(type) * (number)),
#define UEV_EH_GATHER_uev_zero(argument, type, value, number)                  \
	uev_eh_put_zero_(&uev_cursor_, UEV_EH_POINTER_##argument(type, value), \
			 sizeof(type)),

/* maximum number of vectors, */
#define UEV_EH_VECTORS_(i, list) \
	UEV_EH_CALL_(UEV_EH_VECTORS_LIST_, i, UEV_EH_ITEMS_(list))
#define UEV_EH_VECTORS_LIST_(i, meta, counted, argument, data, ...) \
	UEV_EH_VECTORS_##data
#define UEV_EH_VECTORS_uev_none
#define UEV_EH_VECTORS_uev_activity
#define UEV_EH_VECTORS_uev_scalar
#define UEV_EH_VECTORS_uev_counted +2
#define UEV_EH_VECTORS_uev_fixed +2
#define UEV_EH_VECTORS_uev_zero +2

/* minimum number of bytes besides the copied ones, */
#define UEV_EH_LEAST_(i, list) \
	UEV_EH_CALL_(UEV_EH_LEAST_LIST_, i, UEV_EH_ITEMS_(list))
#define UEV_EH_LEAST_LIST_(i, meta, counted, argument, data, name, encoding, \
			   format, tag, count, type, ...)                    \
	UEV_EH_LEAST_##data(type, count)
#define UEV_EH_LEAST_uev_none(type, count)
#define UEV_EH_LEAST_uev_activity(type, count)
#define UEV_EH_LEAST_uev_scalar(type, count)
#define UEV_EH_LEAST_uev_counted(type, count)
#define UEV_EH_LEAST_uev_fixed(type, count) +sizeof(type) * (count)
#define UEV_EH_LEAST_uev_zero(type, count) +sizeof(type)

/* and the bytes that an activity needs before them. */
#define UEV_EH_FRONT_(i, list) \
	UEV_EH_CALL_(UEV_EH_FRONT_LIST_, i, UEV_EH_ITEMS_(list))
#define UEV_EH_FRONT_LIST_(i, meta, counted, argument, data, ...) \
	UEV_EH_FRONT_##data
#define UEV_EH_FRONT_uev_none
#define UEV_EH_FRONT_uev_activity +sizeof(uev_fixed_) + UEV_EH_ACTIVITY_MAX_
#define UEV_EH_FRONT_uev_scalar
#define UEV_EH_FRONT_uev_counted
#define UEV_EH_FRONT_uev_fixed
#define UEV_EH_FRONT_uev_zero

/*
 * The header. UEV_EH_LAST_(operation, initial, list...) is the value of the last
 * list that has one: (((initial, replaced by it), replaced by it)...
 */
/* clang-format off */
#define UEV_EH_LAST_(op, initial, ...) \
	(UEV_EH_EACH_(UEV_EH_LAST_OPEN_, __VA_ARGS__) initial \
	 UEV_EH_EACH_(op, __VA_ARGS__))
#define UEV_EH_LAST_OPEN_(i, list) ((
#define UEV_EH_REPLACE_(value) \
	& ((value) != 0 ? 0U : ~0U)) | UEV_EH_NUMBER_(unsigned int, value))
/* clang-format on */
#define UEV_EH_OPCODE_(i, list) \
	UEV_EH_CALL_(UEV_EH_OPCODE_LIST_, UEV_EH_ITEMS_(list))
#define UEV_EH_OPCODE_LIST_(m, c, a, d, n, e, f, t, k, y, v, w, opcode, ...) \
	UEV_EH_REPLACE_(opcode)
#define UEV_EH_ID_(i, list) UEV_EH_CALL_(UEV_EH_ID_LIST_, UEV_EH_ITEMS_(list))
#define UEV_EH_ID_LIST_(m, c, a, d, n, e, f, t, k, y, v, w, o, id, ...) \
	UEV_EH_REPLACE_(id)
#define UEV_EH_VERSION_(i, list) \
	UEV_EH_CALL_(UEV_EH_VERSION_LIST_, UEV_EH_ITEMS_(list))
#define UEV_EH_VERSION_LIST_(m, c, a, d, n, e, f, t, k, y, v, w, o, id, \
			     version, ...)                              \
	UEV_EH_REPLACE_(version)
#define UEV_EH_EVENT_TAG_(i, list) \
	UEV_EH_CALL_(UEV_EH_EVENT_TAG_LIST_, UEV_EH_ITEMS_(list))
#define UEV_EH_EVENT_TAG_LIST_(m, c, a, d, n, e, f, t, k, y, v, w, o, id, r, \
			       tag, ...)                                     \
	UEV_EH_REPLACE_(tag)

/* The event itself. */
#ifdef UEV_DISABLE
#define UEV_EH_WRITE_(provider, level, keyword, name, ...)     \
	__extension__({                                        \
		int uev_result_ = 0;                           \
		UEV_EH_CHECK_SET_(provider, level, keyword);   \
		(void)sizeof(provider);                        \
		if ((0)) {                                     \
			struct uev_event *uev_event_ = NULL;   \
			UEV_EH_BODY_(level, name, __VA_ARGS__) \
		}                                              \
		uev_result_;                                   \
	})
#else
#define UEV_EH_WRITE_(provider, level, keyword, name, ...)     \
	__extension__({                                        \
		struct uev_event *uev_event_ =                 \
			UEV_EH_SET_(provider, level, keyword); \
		int uev_result_ = 0;                           \
		if (uev_enabled(uev_event_))                   \
			UEV_EH_BODY_(level, name, __VA_ARGS__) \
		uev_result_;                                   \
	})
#endif

/*
 * Bytes of header and metadata that are copied in front of the values: all,
 * unless they are many, or an activity goes between the two.
 */
#define UEV_EH_START_COPIED_(fixed, front)                       \
	(sizeof(front) == 1 && sizeof(fixed) <= UEV_EH_COPY_MAX_ \
		 ? sizeof(fixed)                                 \
		 : 0)
#define UEV_EH_COPY_MAX_ 256

#define UEV_EH_BODY_(level, name, ...)                                           \
	{                                                                        \
		UEV_EH_CHECK_NAME_(name);                                        \
		UEV_EH_ASSERT_(sizeof(name) > 1,                                 \
			       "event name must not be empty");                  \
		UEV_EH_EACH_(UEV_EH_CHECK_, __VA_ARGS__)                         \
		UEV_EH_ASSERT_(                                                  \
			UEV_EH_NUMBER_(uint8_t,                                  \
				       UEV_EH_LAST_(UEV_EH_VERSION_, 0U,         \
						    __VA_ARGS__)) == 0 ||        \
				UEV_EH_NUMBER_(uint16_t,                         \
					       UEV_EH_LAST_(UEV_EH_ID_, 0U,      \
							    __VA_ARGS__)) !=     \
					0,                                       \
			"version requires an id");                               \
		static const struct __attribute__((__packed__)) {                \
			struct uev_eventheader header;                           \
			struct uev_extension extension;                          \
			char event_name[sizeof(name)];                           \
			UEV_EH_EACH_(UEV_EH_DECLARE_, __VA_ARGS__)               \
		} uev_fixed_ = {                                                 \
			{                                                        \
				UEV_HEADER_NATIVE | UEV_HEADER_EXTENSION,        \
				UEV_EH_NUMBER_(uint8_t,                          \
					       UEV_EH_LAST_(UEV_EH_VERSION_,     \
							    0U, __VA_ARGS__)),   \
				UEV_EH_NUMBER_(uint16_t,                         \
					       UEV_EH_LAST_(UEV_EH_ID_, 0U,      \
							    __VA_ARGS__)),       \
				UEV_EH_NUMBER_(uint16_t,                         \
					       UEV_EH_LAST_(UEV_EH_EVENT_TAG_,   \
							    0U, __VA_ARGS__)),   \
				UEV_EH_NUMBER_(uint8_t,                          \
					       UEV_EH_LAST_(UEV_EH_OPCODE_,      \
							    0U, __VA_ARGS__)),   \
				UEV_EH_NUMBER_(uint8_t, level),                  \
			},                                                       \
			{                                                        \
				UEV_CAST_(                                       \
					uint16_t,                                \
					sizeof(uev_fixed_) -                     \
						sizeof(struct uev_eventheader) - \
						sizeof(struct uev_extension)),   \
				UEV_EXTENSION_METADATA,                          \
			},                                                       \
			name,                                                    \
			UEV_EH_EACH_(UEV_EH_FILL_, __VA_ARGS__)                  \
		};                                                               \
		UEV_EH_ASSERT_(sizeof(uev_fixed_) UEV_EH_EACH_(UEV_EH_COPIED_,   \
							       __VA_ARGS__)      \
					       UEV_EH_EACH_(UEV_EH_LEAST_,       \
							    __VA_ARGS__) <=      \
				       UEV_PAYLOAD_MAX,                          \
			       "record larger than any tracer can take");        \
		uint8_t uev_front_[1 UEV_EH_EACH_(UEV_EH_FRONT_, __VA_ARGS__)];  \
		uint8_t uev_copied_[1 + UEV_EH_START_COPIED_(uev_fixed_,         \
							     uev_front_)         \
						UEV_EH_EACH_(UEV_EH_COPIED_,     \
							     __VA_ARGS__)];      \
		struct iovec uev_vector_[2 UEV_EH_EACH_(UEV_EH_VECTORS_,         \
							__VA_ARGS__)];           \
		struct uev_eh_cursor_ uev_cursor_ = {                            \
			uev_vector_,                                             \
			uev_copied_,                                             \
			uev_copied_,                                             \
		};                                                               \
		(void)uev_front_;                                                \
		uev_eh_start_(&uev_cursor_, &uev_fixed_, sizeof(uev_fixed_),     \
			      UEV_EH_START_COPIED_(uev_fixed_, uev_front_) !=    \
				      0);                                        \
		UEV_EH_EACH_(UEV_EH_GATHER_, __VA_ARGS__)                        \
		uev_eh_flush_(&uev_cursor_),                                     \
			uev_result_ =                                            \
				uev_result_                                      \
					? uev_eh_count_(uev_event_,              \
							uev_result_)             \
					: uev_event_writev(                      \
						  uev_event_, uev_vector_,       \
						  UEV_CAST_(                     \
							  int,                   \
							  uev_cursor_.next -     \
								  uev_vector_)); \
	}

/*
 * UEV_EH_CONVERT_(type, value) converts the value implicitly, and
 * UEV_EH_COPY_VALUE_(cursor, type, value) copies it so converted.
 */
#ifdef __cplusplus
template <typename T> constexpr T uev_eh_convert_(T value)
{
	return value;
}

template <typename T>
inline void uev_eh_copy_value_(struct uev_eh_cursor_ *cursor, T value)
{
	uev_eh_copy_(cursor, &value, sizeof(value));
}

#define UEV_EH_CONVERT_(type, value) uev_eh_convert_<type>(value)
#define UEV_EH_COPY_VALUE_(cursor, type, value) \
	uev_eh_copy_value_<type>(cursor, value)
#else
#define UEV_EH_CONVERT_(type, value) ((type){ (value) })
#define UEV_EH_COPY_VALUE_(cursor, type, value) \
	uev_eh_copy_(cursor, (type[1]){ (value) }, sizeof(type))
#endif

/* Type and format of a value, for UEV_EH_AUTO(). */
#define UEV_EH_ENCODING_OF_(value)                   \
	(sizeof(value) == 1   ? UEV_ENCODING_VALUE8  \
	 : sizeof(value) == 2 ? UEV_ENCODING_VALUE16 \
	 : sizeof(value) == 4 ? UEV_ENCODING_VALUE32 \
			      : UEV_ENCODING_VALUE64)

#ifdef __cplusplus
template <int format> struct uev_eh_format_is_ {
	static constexpr int value = format;
};
/* Other types have no format, which UEV_EH_FITS_() reports. */
template <typename T, bool is_enum = __is_enum(T)>
struct uev_eh_format_ : uev_eh_format_is_<UEV_FORMAT_END> {
};
template <typename T>
struct uev_eh_format_<const T, false> : uev_eh_format_<T> {
};
template <typename T>
struct uev_eh_format_<volatile T, false> : uev_eh_format_<T> {
};
template <typename T>
struct uev_eh_format_<const volatile T, false> : uev_eh_format_<T> {
};
/* The format of its integer type. */
template <typename T>
struct uev_eh_format_<T, true> : uev_eh_format_<__underlying_type(T)> {
};
template <typename T>
struct uev_eh_format_<T *, false> : uev_eh_format_is_<UEV_FORMAT_HEX> {
};
#define UEV_EH_FORMAT_IS_(type, format)                                       \
	template <> struct uev_eh_format_<type> : uev_eh_format_is_<format> { \
	}
UEV_EH_FORMAT_IS_(bool, UEV_FORMAT_BOOLEAN);
UEV_EH_FORMAT_IS_(char, UEV_FORMAT_STRING8);
UEV_EH_FORMAT_IS_(char16_t, UEV_FORMAT_STRING_UTF);
UEV_EH_FORMAT_IS_(char32_t, UEV_FORMAT_STRING_UTF);
UEV_EH_FORMAT_IS_(wchar_t, UEV_FORMAT_STRING_UTF);
#ifdef __cpp_char8_t
UEV_EH_FORMAT_IS_(char8_t, UEV_FORMAT_STRING_UTF);
#endif
UEV_EH_FORMAT_IS_(signed char, UEV_FORMAT_SIGNED);
UEV_EH_FORMAT_IS_(short, UEV_FORMAT_SIGNED);
UEV_EH_FORMAT_IS_(int, UEV_FORMAT_SIGNED);
UEV_EH_FORMAT_IS_(long, UEV_FORMAT_SIGNED);
UEV_EH_FORMAT_IS_(long long, UEV_FORMAT_SIGNED);
UEV_EH_FORMAT_IS_(unsigned char, UEV_FORMAT_UNSIGNED);
UEV_EH_FORMAT_IS_(unsigned short, UEV_FORMAT_UNSIGNED);
UEV_EH_FORMAT_IS_(unsigned int, UEV_FORMAT_UNSIGNED);
UEV_EH_FORMAT_IS_(unsigned long, UEV_FORMAT_UNSIGNED);
UEV_EH_FORMAT_IS_(unsigned long long, UEV_FORMAT_UNSIGNED);
UEV_EH_FORMAT_IS_(float, UEV_FORMAT_FLOAT);
UEV_EH_FORMAT_IS_(double, UEV_FORMAT_FLOAT);
#undef UEV_EH_FORMAT_IS_
#define UEV_EH_FORMAT_OF_(v) uev_eh_format_<__typeof__(v)>::value
/* Without volatile, because it is the type of a copy. */
template <typename T> struct uev_eh_copied_ {
	using type = T;
};
template <typename T> struct uev_eh_copied_<volatile T> {
	using type = T;
};
template <typename T> struct uev_eh_copied_<const volatile T> {
	using type = T;
};
template <typename T> using uev_eh_copied_t_ = typename uev_eh_copied_<T>::type;
#define UEV_EH_TYPE_OF_(v) uev_eh_copied_t_<__typeof__(v)>
#else
/*
 * Whether a value is a pointer, and no array: only the latter has another type
 * as an operand. 5 is the class of both.
 */
#define UEV_EH_IS_POINTER_(v)                        \
	(__builtin_classify_type(v) == 5 &&          \
	 __builtin_types_compatible_p(__typeof__(v), \
				      __typeof__(UEV_OPERAND_(v))))
#define UEV_EH_FORMAT_IF_POINTER_(v) \
	(UEV_EH_IS_POINTER_(v) ? UEV_FORMAT_HEX : UEV_FORMAT_END)
/* clang-format off */
#define UEV_EH_FORMAT_OF_(v) \
	_Generic((v),                                 \
		_Bool: UEV_FORMAT_BOOLEAN,           \
		char: UEV_FORMAT_STRING8,            \
		signed char: UEV_FORMAT_SIGNED,      \
		short: UEV_FORMAT_SIGNED,            \
		int: UEV_FORMAT_SIGNED,              \
		long: UEV_FORMAT_SIGNED,             \
		long long: UEV_FORMAT_SIGNED,        \
		unsigned char: UEV_FORMAT_UNSIGNED,  \
		unsigned short: UEV_FORMAT_UNSIGNED, \
		unsigned int: UEV_FORMAT_UNSIGNED,   \
		unsigned long: UEV_FORMAT_UNSIGNED,  \
		unsigned long long: UEV_FORMAT_UNSIGNED, \
		float: UEV_FORMAT_FLOAT,             \
		double: UEV_FORMAT_FLOAT,            \
		default: UEV_EH_FORMAT_IF_POINTER_(v))
/*
 * Without volatile, because it is the type of a copy. Before gcc 11, operators
 * do not remove it, so numbers have the type of a constant.
 */
#define UEV_EH_TYPE_OF_(v) \
	__typeof__(_Generic((v),                              \
		_Bool: (_Bool)0,                             \
		char: (char)0,                               \
		signed char: (signed char)0,                 \
		short: (short)0,                             \
		int: 0,                                      \
		long: 0L,                                    \
		long long: 0LL,                              \
		unsigned char: (unsigned char)0,             \
		unsigned short: (unsigned short)0,           \
		unsigned int: 0U,                            \
		unsigned long: 0UL,                          \
		unsigned long long: 0ULL,                    \
		float: (float)0,                             \
		double: (double)0,                           \
		default: UEV_OPERAND_(v)))
/* clang-format on */
#endif

#endif
