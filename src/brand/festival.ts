/** What pages say of the festival as a whole. */
export interface Festival {
  name: string
  edition: string
  zone: string
  latitude: number
  longitude: number
  /** First and last day, ISO dates; null while they are not known. */
  days: { start: string; end: string } | null
}

declare module '../kit/browser/asking.ts' {
  interface PageContext {
    festival: Festival
  }
}
