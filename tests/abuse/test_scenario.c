/* The scenario reader: everything it accepts, and everything it refuses, with the position and the words of each
 * error. */
#include <withy/io.h>

#include "scenario/scenario_reader.h"
#include "support/suite.h"
#include "support/tree_kind.h"

#include <stdio.h>

#define HEAD "kind: tree\nheight: 3.5\nroots: {depth: 1.25}\n"

static wy_status read_with(wy_scenario **s, const char *text, const wy_scenario_options *options, wy_error *err) {
    return wy_scenario_read_kinds(s, &kinds, "t.yaml", text, strlen(text), options, err);
}

/* ---- what it takes
 * ---------------------------------------------------------------------------------------------------- */

START_TEST(reads_every_type) {
    const char *text = "# a comment\n"
                       "kind: tree\n"
                       "title: \"the willow: by the brook\"\n"
                       "height: 2*pi   # arithmetic\n"
                       "girth: 0.75\n"
                       "branches: 2^10\n"
                       "evergreen: true\n"
                       "species: \xe6\x9f\xb3 \xc3\xa9 \xf0\x9f\x8c\xb3\n"
                       "season: autumn\n"
                       "base: [1, -2.5e-3, sqrt(2)/2]\n"
                       "curve:\n  - [0, 1]\n  - [0.5, 1.5]\n"
                       "radii: [0.1, 0.2, 0.3]\n"
                       "tie: {name: spring, stiffness: 1e3}\n"
                       "spare: rope\n"
                       "hangings:\n  - rope\n  - {name: SP, stiffness: 2, angle: [1, 2]}\n"
                       "roots: {depth: .5, count: 9}\n";
    wy_error err;
    wy_scenario *s;
    ck_assert_msg(read_with(&s, text, NULL, &err) == WY_OK, "%s", err.text);
    const tree_config *c = wy_scenario_config(s);
    ck_assert_ptr_eq(wy_scenario_kind(s), &tree);
    ck_assert_str_eq(wy_scenario_title(s), "the willow: by the brook");
    ck_assert_str_eq(wy_scenario_text(s), text);
    ck_assert_uint_eq(wy_scenario_overrides(s).count, 0);
    ck_assert_double_eq(c->height, 2 * 3.14159265358979323846);
    ck_assert_double_eq(c->girth, 0.75);
    ck_assert_int_eq(c->branches, 1024);
    ck_assert(c->evergreen);
    ck_assert_str_eq(c->species, "\xe6\x9f\xb3 \xc3\xa9 \xf0\x9f\x8c\xb3");
    ck_assert_int_eq(c->season, 2);
    ck_assert_double_eq(c->base[1], -2.5e-3);
    ck_assert_double_eq(c->base[2], sqrt(2.0) / 2);
    ck_assert_uint_eq(c->curve.rows, 2);
    ck_assert_double_eq(c->curve.values[3], 1.5);
    ck_assert_uint_eq(c->radii.rows, 3);
    ck_assert_double_eq(c->radii.values[2], 0.3);
    ck_assert_ptr_eq(c->tie.entry, &spring);
    const spring_config *k = c->tie.config;
    ck_assert_double_eq(k->stiffness, 1e3);
    ck_assert_double_eq(k->angle[1], -3.14159265358979323846 / 2);
    ck_assert_ptr_eq(c->spare.entry, &rope);
    ck_assert_uint_eq(c->hangings.count, 2);
    ck_assert_ptr_eq(c->hangings.items[0].entry, &rope);
    ck_assert_double_eq(((const spring_config *)c->hangings.items[1].config)->angle[1], 2);
    ck_assert_double_eq(c->roots.depth, 0.5);
    ck_assert_int_eq(c->roots.count, 9);
    wy_scenario_free(s);
}
END_TEST

START_TEST(fills_in_defaults) {
    wy_error err;
    wy_scenario *s;
    ck_assert_msg(read_with(&s, HEAD, NULL, &err) == WY_OK, "%s", err.text);
    const tree_config *c = wy_scenario_config(s);
    ck_assert_str_eq(wy_scenario_title(s), "");
    ck_assert(isnan(c->girth)); /* optional, left out */
    ck_assert_int_eq(c->branches, 7);
    ck_assert(!c->evergreen);
    ck_assert_str_eq(c->species, "salix");
    ck_assert_int_eq(c->season, 1);
    ck_assert_ptr_eq(c->tie.entry, &rope);
    ck_assert_ptr_null(c->spare.entry);
    ck_assert_uint_eq(c->hangings.count, 0);
    ck_assert_uint_eq(c->curve.rows, 0);
    ck_assert_int_eq(c->roots.count, 3);
    wy_scenario_free(s);
    wy_scenario_free(NULL);
}
END_TEST

START_TEST(takes_the_least) {
    wy_error err;
    wy_scenario *s;
    ck_assert_msg(read_with(&s, "kind: stump", NULL, &err) == WY_OK, "%s", err.text);
    ck_assert_int_eq(*(const int64_t *)wy_scenario_config(s), 40);
    wy_scenario_free(s);
    ck_assert_msg(read_with(&s, HEAD "species:\ntitle: ''\ntie: {name: rope}\nspare: {name: SP, stiffness: 1}\n", NULL,
                            &err) == WY_OK,
                  "%s", err.text); /* text may be empty */
    ck_assert_str_eq(((const tree_config *)wy_scenario_config(s))->species, "");
    wy_scenario_free(s);
    ck_assert_int_eq(read_with(&s, HEAD "base: [1, x, 2]\nhangings: [chain]", NULL, NULL), WY_BAD_INPUT);
}
END_TEST

START_TEST(follows_anchors) {
    wy_error err;
    wy_scenario *s;
    ck_assert_msg(read_with(&s, HEAD "hangings:\n  - &a {name: spring, stiffness: 4}\n  - *a\n", NULL, &err) == WY_OK,
                  "%s", err.text);
    const tree_config *c = wy_scenario_config(s);
    ck_assert_double_eq(((const spring_config *)c->hangings.items[1].config)->stiffness, 4);
    wy_scenario_free(s);
}
END_TEST

START_TEST(reads_json_too) {
    wy_error err;
    wy_scenario *s;
    ck_assert_msg(read_with(&s, "{\"kind\": \"tree\", \"height\": 1.5, \"roots\": {\"depth\": 2}}", NULL, &err) ==
                      WY_OK,
                  "%s", err.text);
    wy_scenario_free(s);
}
END_TEST

/* ---- what it refuses
 * ---------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text, *error; /* the whole error text, or its beginning if it ends in "..." */
} refused[] = {
    /* the whole file */
    {"", "t.yaml:1:1: 'kind' is missing, expected one of tree, stump"},
    {"# nothing\n", "t.yaml:1:1: 'kind' is missing, expected one of tree, stump"},
    {"- 1\n", "t.yaml:1:1: a scenario is a mapping of keys to values, and this is a list"},
    {"hello\n", "t.yaml:1:1: a scenario is a mapping of keys to values, and this is a value"},
    {"kind: bush\n", "t.yaml:1:7: unknown kind 'bush' (known: tree, stump)"},
    {"kind: tre\n", "t.yaml:1:7: unknown kind 'tre'; did you mean 'tree'? (known: tree, stump)"},
    {"kind: [tree]\n", "t.yaml:1:7: 'kind' is a list, expected the name of one of the kinds"},
    {"kind: tree\nkind: tree\nheight: 1\nroots: {depth: 1}\n", "t.yaml:2:1: 'kind' is given twice, first on line 1"},
    {HEAD "title: [a]\n", "t.yaml:4:8: 'title' is a list, expected text"},
    {"kind: tree\nheight: [1\n", "t.yaml:3:1: not valid YAML: ..."},
    {"kind: tree\n\theight: 1\n", "t.yaml:1:7: not valid YAML: ..."},
    {HEAD "---\nkind: tree\n", "t.yaml:4:1: a second document: a scenario is one"},
    {"? [a, b]\n: 1\n", "t.yaml:1:3: a key must be a plain word"},
    {HEAD "species: !!str x\n", "t.yaml:4:10: tags (!...) are not used in scenarios"},
    {HEAD "species: *nobody\n", "t.yaml:4:10: this alias has no anchor before it"},
    {HEAD "hangings: &h [*h]\n", "t.yaml:4:15: an alias inside its own anchor never ends"},
    {HEAD "species: \"a\\0b\"\n", "t.yaml:4:10: a value with a zero byte in it"},
    {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n",
     "t.yaml:1:42: more than 40 values nested in each other"},
    {"%YAML 1.2\n---\nkind: tree\n", "t.yaml:1:1: directives (%...) are not used in scenarios"},
    {"kind: tree\nspecies: \xdc\xdc\n", "t.yaml:2:10: this is not text (UTF-8)"},
    {"kind: tree\nspecies: \xc0\xaf\n", "t.yaml:2:10: this is not text (UTF-8)"}, /* overlong */
    {"species: \xe0\x80\xaf\n", "t.yaml:1:10: this is not text (UTF-8)"},         /* overlong */
    {"species: \xf0\x80\x80\xaf\n", "t.yaml:1:10: this is not text (UTF-8)"},     /* overlong */
    {"species: \xed\xa0\x80\n", "t.yaml:1:10: this is not text (UTF-8)"},         /* surrogate */
    {"species: \xf4\x90\x80\x80\n", "t.yaml:1:10: this is not text (UTF-8)"},     /* beyond the last character */
    {"species: \xf5\x80\x80\x80\n", "t.yaml:1:10: this is not text (UTF-8)"},
    {"species: \xe2\x82", "t.yaml:1:10: this is not text (UTF-8)"}, /* cut short */
    {"species: \xe2(\xac\n", "t.yaml:1:10: this is not text (UTF-8)"},
    {"species: a\x01\n", "t.yaml:1:11: a control character in the text"},
    {"species: \x7f\n", "t.yaml:1:10: a control character in the text"},
    /* keys */
    {HEAD "heigth: 2\n", "t.yaml:4:1: unknown key 'heigth' in tree; did you mean 'height'?"},
    {HEAD "titel: 2\n", "t.yaml:4:1: unknown key 'titel' in tree; did you mean 'title'?"},
    {HEAD "xyzzy: 2\n", "t.yaml:4:1: unknown key 'xyzzy' in tree, expected one of height, girth, ..."},
    {HEAD "height: 2\n", "t.yaml:4:1: 'height' is given twice, first on line 2"},
    {"kind: tree\nroots: {depth: 1}\n", "t.yaml:1:1: tree: 'height' is missing, expected a positive number in m"},
    {"kind: tree\nheight: 1\n", "t.yaml:1:1: tree: 'roots' is missing, with its 'depth'"},
    {"kind: tree\nheight: 1\nroots: {}\n", "t.yaml:3:8: roots: 'depth' is missing, expected a number in m"},
    {"kind: tree\nheight: 1\nroots: {depth: 1, cuont: 2}\n",
     "t.yaml:3:19: unknown key 'cuont' in roots; did you mean 'count'?"},
    {"kind: tree\nheight: 1\nroots: 5\n",
     "t.yaml:3:8: 'roots' is a value, expected a mapping with keys among depth, count"},
    {HEAD ": 1\n", "t.yaml:1:1: unknown key '' in tree, expected one of height, ..."},
    {HEAD "hangings:\n  -\n", "t.yaml:5:3: 'hangings' has no value, expected the name of one of the loads"},
    {HEAD "species: ''\nbase: [,]\n", "t.yaml:5:8: not valid YAML: ..."},
    /* numbers */
    {"kind: tree\nheight: tall\nroots: {depth: 1}\n",
     "t.yaml:2:9: 'height' needs a positive number in m, but 'tall' is not a number: 'tall' is not known here"},
    {"kind: tree\nheight: -3\nroots: {depth: 1}\n", "t.yaml:2:9: 'height' is -3, expected a positive number in m"},
    {"kind: tree\nheight: 0\nroots: {depth: 1}\n", "t.yaml:2:9: 'height' is 0, expected a positive number in m"},
    {"kind: tree\nheight:\nroots: {depth: 1}\n", "t.yaml:2:8: 'height' has no value, expected a positive number in m"},
    {"kind: tree\nheight: .nan\nroots: {depth: 1}\n",
     "t.yaml:2:9: 'height' needs a positive number in m, but '.nan' is not ..."},
    {"kind: tree\nheight: .inf\nroots: {depth: 1}\n",
     "t.yaml:2:9: 'height' needs a positive number in m, but '.inf' is not ..."},
    {"kind: tree\nheight: NaN\nroots: {depth: 1}\n",
     "t.yaml:2:9: 'height' needs a positive number in m, but 'NaN' is not ..."},
    {"kind: tree\nheight: 1e999\nroots: {depth: 1}\n",
     "t.yaml:2:9: 'height' needs a positive number in m, but '1e999' is not a finite number"},
    {"kind: tree\nheight: 1/0\nroots: {depth: 1}\n",
     "t.yaml:2:9: 'height' needs a positive number in m, but '1/0' divides by zero"},
    {"kind: tree\nheight: '3'\nroots: {depth: 1}\n",
     "t.yaml:2:9: 'height' is the text \"3\", expected a positive number in m (without quotes)"},
    {"kind: tree\nheight: [3]\nroots: {depth: 1}\n", "t.yaml:2:9: 'height' is a list, expected a positive number in m"},
    {"kind: tree\nheight: {a: 3}\nroots: {depth: 1}\n",
     "t.yaml:2:9: 'height' is a mapping, expected a positive number in m"},
    {HEAD "girth: 0.2\n", "t.yaml:4:8: 'girth' is 0.2, expected a number from 0.5 to 2 in m"},
    {HEAD "girth: 2.2\n", "t.yaml:4:8: 'girth' is 2.2, expected a number from 0.5 to 2 in m"},
    {HEAD "branches: 2.5\n", "t.yaml:4:11: 'branches' is '2.5', expected a non-negative whole number"},
    {HEAD "branches: -1\n", "t.yaml:4:11: 'branches' is -1, expected a non-negative whole number"},
    {HEAD "branches: 1e300\n", "t.yaml:4:11: 'branches' is '1e300', expected a non-negative whole number"},
    {HEAD "branches: 13\n", "t.yaml:4:11: 13 branches bring bad luck"},
    {HEAD "branches: 14\n", "t.yaml:1:1: 14 branches are too many altogether"},
    {HEAD "evergreen: yes\n", "t.yaml:4:12: 'evergreen' is 'yes', expected true or false"},
    {HEAD "evergreen: 'true'\n",
     "t.yaml:4:12: 'evergreen' is the text \"true\", expected true or false (without quotes)"},
    {HEAD "season: winter\n", "t.yaml:4:9: 'season' is 'winter', expected one of spring, summer, autumn"},
    {HEAD "season: sumer\n",
     "t.yaml:4:9: 'season' is 'sumer', expected one of spring, summer, autumn; did you mean 'summer'?"},
    {HEAD "season: [1]\n", "t.yaml:4:9: 'season' is a list, expected one of spring, summer, autumn"},
    {HEAD "species: {a: 1}\n", "t.yaml:4:10: 'species' is a mapping, expected text"},
    {HEAD "base: 3\n", "t.yaml:4:7: 'base' is '3', expected a list of 3 numbers in m"},
    {HEAD "base: [1, 2]\n", "t.yaml:4:7: 'base' has 2 entries, expected a list of 3 numbers in m"},
    {HEAD "base: [1, 2, x]\n",
     "t.yaml:4:14: 'base' needs a number in m, but 'x' is not a number: 'x' is not known here"},
    {HEAD "base: [1, [2], 3]\n", "t.yaml:4:11: 'base' is a list, expected a number in m"},
    {HEAD "curve: 5\n", "t.yaml:4:8: 'curve' is '5', expected a list of rows of 2 numbers in m"},
    {HEAD "curve: [1, 2]\n", "t.yaml:4:9: 'curve' is '1', expected a list of rows of 2 numbers in m"},
    {HEAD "curve:\n  - [1, 2]\n  - [1]\n",
     "t.yaml:6:5: 'curve' has 1 entries, expected a list of rows of 2 numbers in m"},
    {HEAD "radii: [0.5, -0.25]\n", "t.yaml:4:14: 'radii' is -0.25, expected a positive number in m"},
    /* choices and lists */
    {HEAD "tie: chain\n", "t.yaml:4:6: unknown load 'chain' (known: spring, rope)"},
    {HEAD "tie: {name: sprong}\n", "t.yaml:4:13: unknown load 'sprong'; did you mean 'spring'? (known: spring, rope)"},
    {HEAD "tie: {name: rope, length: 2}\n", "t.yaml:4:19: unknown key 'length': rope takes no parameters"},
    {HEAD "tie: {length: 2}\n", "t.yaml:4:7: unknown key 'length': rope takes no parameters"},
    {HEAD "tie: spring\n", "t.yaml:4:6: spring: 'stiffness' is missing, expected a positive number in N/m"},
    {HEAD "tie: {name: spring}\n", "t.yaml:4:6: spring: 'stiffness' is missing, expected a positive number in N/m"},
    {HEAD "tie: {name: spring, stiffness: 1, stifness: 2}\n",
     "t.yaml:4:35: unknown key 'stifness' in spring; did you mean 'stiffness'?"},
    {HEAD "tie: [rope]\n", "t.yaml:4:6: 'tie' is a list, expected the name of one of the loads"},
    {HEAD "spare: {stiffness: 2}\n", "t.yaml:4:8: 'spare' has no 'name', expected the name of one of the loads"},
    {HEAD "hangings: rope\n", "t.yaml:4:11: 'hangings' is 'rope', expected a list of loads"},
    {HEAD "hangings: [rope, chain]\n", "t.yaml:4:18: unknown load 'chain' (known: spring, rope)"},
    {HEAD "hangings: [{stiffness: 3}]\n",
     "t.yaml:4:12: 'hangings' has no 'name', expected the name of one of the loads"},
    {HEAD "hangings: [[rope]]\n", "t.yaml:4:12: 'hangings' is a list, expected the name of one of the loads"},
};

static void expect(const char *said, const char *wanted, const char *about) {
    size_t n = strlen(wanted);
    if (n > 3 && strcmp(wanted + n - 3, "...") == 0)
        ck_assert_msg(strncmp(said, wanted, n - 3) == 0, "%s\n said     %s\n expected %s", about, said, wanted);
    else
        ck_assert_msg(strcmp(said, wanted) == 0, "%s\n said     %s\n expected %s", about, said, wanted);
}

START_TEST(refuses) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        wy_scenario *s = (wy_scenario *)&s;
        wy_error err;
        ck_assert_msg(read_with(&s, refused[i].text, NULL, &err) == WY_BAD_INPUT, "accepted:\n%s", refused[i].text);
        ck_assert_ptr_null(s);
        ck_assert_int_eq(err.status, WY_BAD_INPUT);
        expect(err.text, refused[i].error, refused[i].text);
        ck_assert_int_eq(read_with(&s, refused[i].text, NULL, NULL), WY_BAD_INPUT); /* without a callback */
    }
}
END_TEST

typedef struct error_list {
    int count;
    char first[400], last[400];
} error_list;

static void collect(void *context, const char *text) {
    error_list *c = context;
    if (c->count++ == 0)
        snprintf(c->first, sizeof c->first, "%s", text);
    snprintf(c->last, sizeof c->last, "%s", text);
}

START_TEST(reports_all_at_once) {
    error_list c = {0};
    const wy_scenario_options options = {.report_error = collect, .context = &c};
    wy_scenario *s;
    wy_error err;
    ck_assert_int_eq(
        read_with(&s, "kind: tree\nheight: -1\nbranches: x\nheigth: 2\nroots: {depth: 1}\n", &options, &err),
        WY_BAD_INPUT);
    ck_assert_int_eq(c.count, 3);
    ck_assert_str_eq(c.first, err.text);
    expect(c.first, "t.yaml:2:9: ...", "first");
    expect(c.last, "t.yaml:4:1: ...", "last");
    /* but not without end */
    char text[4000] = HEAD;
    for (int i = 0; i < 50; i++)
        sprintf(text + strlen(text), "unknown_%d: 1\n", i);
    c.count = 0;
    ck_assert_int_eq(read_with(&s, text, &options, &err), WY_BAD_INPUT);
    ck_assert_int_eq(c.count, 20);
    /* a syntax error is reported in the same list */
    c.count = 0;
    ck_assert_int_eq(read_with(&s, "a: [\n", &options, &err), WY_BAD_INPUT);
    ck_assert_int_eq(c.count, 1);
}
END_TEST

/* ---- --set
 * ---------------------------------------------------------------------------------------------------------------- */

START_TEST(overrides) {
    const char *const set[] = {
        "height=1+1",    "tie.name=spring", "tie.stiffness=5", "base=[1, 2, 3]", "hangings.1.stiffness=7",
        "roots.count=4", "species=a = b",   "base.2=9",        "title="};
    const wy_scenario_options options = {.set = set, .set_count = sizeof set / sizeof *set};
    wy_scenario *s;
    wy_error err;
    ck_assert_msg(read_with(&s, HEAD "title: t\ntie: rope\nhangings: [rope, {name: spring, stiffness: 1}]\n", &options,
                            &err) == WY_OK,
                  "%s", err.text);
    const tree_config *c = wy_scenario_config(s);
    ck_assert_double_eq(c->height, 2);
    ck_assert_ptr_eq(c->tie.entry, &spring);
    ck_assert_double_eq(((const spring_config *)c->tie.config)->stiffness, 5);
    ck_assert_double_eq(c->base[1], 2);
    ck_assert_double_eq(c->base[2], 9);
    ck_assert_double_eq(((const spring_config *)c->hangings.items[1].config)->stiffness, 7);
    ck_assert_int_eq(c->roots.count, 4);
    ck_assert_double_eq(c->roots.depth, 1.25);
    ck_assert_str_eq(c->species, "a = b");
    ck_assert_str_eq(wy_scenario_title(s), "");
    const wy_overrides kept = wy_scenario_overrides(s);
    ck_assert_uint_eq(kept.count, options.set_count);
    for (size_t i = 0; i < kept.count; i++)
        ck_assert_str_eq(kept.items[i], set[i]);
    wy_scenario_free(s);
}
END_TEST

START_TEST(refuses_overrides) {
    static const char *const cases[][2] = {
        {"height", "--set height: expected key.path=value"},
        {"=3", "--set : expected key.path=value"},
        {"height=-2", "--set height: 'height' is -2, expected a positive number in m"},
        {"heigth=2", "--set heigth: unknown key 'heigth' in tree; did you mean 'height'?"},
        {"roots..count=2", "--set roots..count: an empty word in the path"},
        {"base=[1, x, 2]", "--set base: 'base' needs a number in m, but 'x' is not ..."},
        {"base=[1,", "--set base: the value is not valid YAML"},
        {"base.7=2", "--set base.7: '7' does not pick from a list of 3 entries (from 0)"},
        {"base.two=2", "--set base.two: 'two' does not pick from a list of 3 entries (from 0)"},
        {"roots.cuont=2", "--set roots.cuont: unknown key 'cuont' in roots; did you mean 'count'?"},
        {"height.name=2", "t.yaml:2:9: 'height' is a mapping, expected a positive number in m"},
        {"roots.a_very_long_name_that_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_"
         "on_and_on_and_on_and_on_and_on_and_on_and_on_and_on=2",
         "--set roots.a_very_long_name_that_goes_on_and_on..."},
        {"height=", "--set height: 'height' has no value, expected a positive number in m"},
        {"height=  ", "--set height: 'height' has no value, expected a positive number in m"},
        {"height={}", "--set height: 'height' is a mapping, expected a positive number in m"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const wy_scenario_options options = {.set = &cases[i][0], .set_count = 1};
        wy_scenario *s;
        wy_error err;
        ck_assert_msg(read_with(&s, HEAD "base: [1, 2, 3]\n", &options, &err) == WY_BAD_INPUT, "accepted: %s",
                      cases[i][0]);
        expect(err.text, cases[i][1], cases[i][0]);
    }
}
END_TEST

/* ---- files
 * ------------------------------------------------------------------------------------------------------------------ */

START_TEST(files) {
    wy_scenario *s;
    wy_error err;
    ck_assert_int_eq(wy_scenario_read_file(&s, "/no/such/file.yaml", NULL, &err), WY_CANNOT_READ);
    expect(err.text, "cannot open scenario '/no/such/file.yaml': ...", "missing");
    ck_assert_int_eq(wy_scenario_read_file(&s, "/", NULL, &err), WY_CANNOT_READ);
    ck_assert_int_eq(wy_scenario_read_file(&s, "/dev/zero", NULL, &err), WY_CANNOT_READ);
    expect(err.text, "scenario '/dev/zero' is larger than 64 MiB", "endless");
    ck_assert_int_eq(wy_scenario_read_file(&s, TEST_SOURCE "/examples/rigid-body.yaml", NULL, &err), WY_OK);
    wy_scenario_free(s);
    ck_assert_int_eq(wy_scenario_read_text(&s, "x", "kind: tree", 10, NULL, &err),
                     WY_BAD_INPUT); /* not among withy's own */
}
END_TEST

SUITE("scenario", reads_every_type, fills_in_defaults, takes_the_least, follows_anchors, reads_json_too, refuses,
      reports_all_at_once, overrides, refuses_overrides, files)
