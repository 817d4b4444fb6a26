import { createContext } from 'react'

/** A picture for sharing, 1200 × 630, by its path on this site. */
export interface SharingPicture {
  path: string
  /** What it shows, for those who do not see it. */
  alt: string
}

/** What every head says of the site as a whole. */
export interface Site {
  /** e.g. https://www.example.ch */
  origin: string
  locale: 'en' | 'de' | 'fr'
  name: string
  /** Shown when a page without a picture of its own is shared. */
  picture: SharingPicture
}

export const SiteContext = createContext<Site | null>(null)
