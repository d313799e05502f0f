/* Gauss quadrature on [0, 1]: row n - 1 has the n points and weights of the rule that is exact to degree 2 n - 1. */
#ifndef WY_QUADRATURE_H
#define WY_QUADRATURE_H

enum { WY_GAUSS_MOST = 4 };

static const double wy_gauss_at[WY_GAUSS_MOST][WY_GAUSS_MOST] = {
    {0.5},
    {0.21132486540518711775, 0.78867513459481288225},
    {0.11270166537925831148, 0.5, 0.88729833462074168852},
    {0.069431844202973712388, 0.33000947820757186760, 0.66999052179242813240, 0.93056815579702628761},
};
static const double wy_gauss_weight[WY_GAUSS_MOST][WY_GAUSS_MOST] = {
    {1.0},
    {0.5, 0.5},
    {5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0},
    {0.17392742256872692869, 0.32607257743127307131, 0.32607257743127307131, 0.17392742256872692869},
};

#endif
