/* Visibility of the symbols of a shared library. Everything not marked WY_API is hidden. */
#ifndef WITHY_EXPORT_H
#define WITHY_EXPORT_H

#if defined(_WIN32) && defined(__GNUC__) && !defined(__clang__) /* else printf formats would be Microsoft's */
#define WY_PRINTF_STYLE __gnu_printf__
#else
#define WY_PRINTF_STYLE __printf__
#endif

#if defined(WY_HIDDEN) && defined(__GNUC__) /* all sources in one file of another library, as in FMUs */
#define WY_API static __attribute__((unused))
#define WY_PRINTF(text, first) __attribute__((__format__(WY_PRINTF_STYLE, text, first)))
#elif defined(__GNUC__)
#define WY_API __attribute__((visibility("default")))
#define WY_PRINTF(text, first) __attribute__((__format__(WY_PRINTF_STYLE, text, first)))
#elif defined(WY_HIDDEN)
#define WY_API static
#define WY_PRINTF(text, first)
#else
#define WY_API
#define WY_PRINTF(text, first)
#endif

#endif
