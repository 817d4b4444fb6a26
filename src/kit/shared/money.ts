/** Money is integer Rappen inside and CHF outside. */
export function chfFromRappen(rappen: number): number {
  return rappen / 100
}

export function rappenFromChf(chf: number): number {
  return Math.round(chf * 100)
}
