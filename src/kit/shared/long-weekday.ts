const names: Record<string, string> = {
  en: 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday',
  de: 'Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag',
  fr: 'lundi mardi mercredi jeudi vendredi samedi dimanche',
}

/** 1 = Monday: "Monday", as CLDR has it. Apart from `calendar.ts`, which every page is sent. */
export const longWeekdayName = (locale: string, weekday: number) =>
  (names[locale] ?? names['en']!).split(' ')[weekday - 1] ?? ''
