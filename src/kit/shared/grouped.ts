/**
 * A number in Swiss form, "12’345.6", in every language, with at most three decimals. `Intl` would not do: its separator (’, ' or a thin
 * space) depends on the language and on the age of the browser's data.
 */
export function grouped(number: number): string {
  return groupedDigits(String(Math.round(number * 1000) / 1000))
}

/** Groups the digits before the point, if there is one. */
export const groupedDigits = (digits: string) => digits.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, '’')
