/* Kinds for tests of the scenario reader: a tree, which has a parameter of every type, and a stump, which has no
 * check. */
#ifndef WY_TEST_TREE_KIND_H
#define WY_TEST_TREE_KIND_H

#include <stddef.h>

#include <withy/kind.h>

typedef struct spring_config {
    double stiffness, angle[2];
} spring_config;

static const wy_param spring_params[] = {
    {.key = "stiffness",
     .doc = "k",
     .unit = "N/m",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_POSITIVE,
     .offset = offsetof(spring_config, stiffness)},
    {.key = "angle",
     .doc = "a",
     .unit = "rad",
     .type = WY_TYPE_VECTOR,
     .count = 2,
     .default_text = "[0.1, -pi/2]",
     .offset = offsetof(spring_config, angle)},
    {0},
};
static const wy_entry spring = {"spring", "SP", "A spring.", spring_params, sizeof(spring_config)};
static const wy_entry rope = {"rope", NULL, "A rope.", NULL, 0};
static const wy_entry *const load_rows[] = {&spring, &rope, NULL};
static const wy_catalogue loads = {"loads", "load", "Loads.", load_rows, NULL};

typedef struct tree_config {
    double height, girth;
    int64_t branches;
    bool evergreen;
    const char *species;
    int season;
    double base[3];
    wy_samples curve, radii;
    wy_choice tie, spare;
    wy_list hangings;
    struct {
        double depth;
        int64_t count;
    } roots;
} tree_config;

static const char *const seasons[] = {"spring", "summer", "autumn", NULL};
static const wy_param root_params[] = {
    {.key = "depth", .doc = "d", .unit = "m", .type = WY_TYPE_REAL, .default_text = NULL, .offset = 0},
    {.key = "count", .doc = "n", .unit = "1", .type = WY_TYPE_INTEGER, .default_text = "3", .offset = sizeof(double)},
    {0},
};
static const wy_param tree_params[] = {
    {.key = "height",
     .doc = "h",
     .unit = "m",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_POSITIVE,
     .offset = offsetof(tree_config, height)},
    {.key = "girth",
     .doc = "g",
     .unit = "m",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_BETWEEN,
     .low = 0.5,
     .high = 2,
     .default_text = "",
     .offset = offsetof(tree_config, girth)},
    {.key = "branches",
     .doc = "n",
     .unit = "1",
     .type = WY_TYPE_INTEGER,
     .rule = WY_RULE_NONNEGATIVE,
     .default_text = "7",
     .offset = offsetof(tree_config, branches)},
    {.key = "evergreen",
     .doc = "e",
     .type = WY_TYPE_BOOL,
     .default_text = "false",
     .offset = offsetof(tree_config, evergreen)},
    {.key = "species",
     .doc = "s",
     .type = WY_TYPE_TEXT,
     .default_text = "salix",
     .offset = offsetof(tree_config, species)},
    {.key = "season",
     .doc = "s",
     .type = WY_TYPE_NAME,
     .names = seasons,
     .default_text = "summer",
     .offset = offsetof(tree_config, season)},
    {.key = "base",
     .doc = "b",
     .unit = "m",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .default_text = "[0, 0, 0]",
     .offset = offsetof(tree_config, base)},
    {.key = "curve",
     .doc = "c",
     .unit = "m",
     .type = WY_TYPE_SAMPLES,
     .count = 2,
     .default_text = "",
     .offset = offsetof(tree_config, curve)},
    {.key = "radii",
     .doc = "r",
     .unit = "m",
     .type = WY_TYPE_SAMPLES,
     .count = 1,
     .rule = WY_RULE_POSITIVE,
     .default_text = "",
     .offset = offsetof(tree_config, radii)},
    {.key = "tie",
     .doc = "t",
     .type = WY_TYPE_CHOICE,
     .from = &loads,
     .default_text = "rope",
     .offset = offsetof(tree_config, tie)},
    {.key = "spare",
     .doc = "t",
     .type = WY_TYPE_CHOICE,
     .from = &loads,
     .default_text = "",
     .offset = offsetof(tree_config, spare)},
    {.key = "hangings",
     .doc = "l",
     .type = WY_TYPE_LIST,
     .from = &loads,
     .default_text = "",
     .offset = offsetof(tree_config, hangings)},
    {.key = "roots", .doc = "r", .type = WY_TYPE_GROUP, .group = root_params, .offset = offsetof(tree_config, roots)},
    {0},
};

static wy_status check_tree(const void *config, const char **key, wy_error *err) {
    const tree_config *c = config;
    if (c->branches == 13) {
        *key = "branches";
        return wy_fail(err, WY_BAD_INPUT, "13 branches bring bad luck");
    }
    if (c->branches == 14)
        return wy_fail(err, WY_BAD_INPUT, "14 branches are too many altogether");
    return WY_OK;
}

static const wy_kind tree = {.entry = {"tree", NULL, "A tree.", tree_params, sizeof(tree_config)}, .check = check_tree};
static const wy_param stump_params[] = {
    {.key = "rings", .doc = "n", .unit = "1", .type = WY_TYPE_INTEGER, .default_text = "40", .offset = 0},
    {0},
};
static const wy_kind stump = {.entry = {"stump", NULL, "What is left of a tree.", stump_params, sizeof(int64_t)}};
static const wy_entry *const kind_rows[] = {&tree.entry, &stump.entry, NULL};
static const wy_catalogue kinds = {"kinds", "kind", "Kinds.", kind_rows, NULL};

#endif
