import { createContext } from 'react'
import type { Position } from '../shared/geo.ts'

/** A picture for shared links, 1200 × 630 px, by its path on this site. */
export interface SharingPicture {
  path: string
  /** Text for people who cannot see the picture. */
  alt: string
}

/** Facts about the site for the head of every page. */
export interface Site {
  /** e.g. https://www.example.ch */
  origin: string
  locale: 'en' | 'de' | 'fr'
  name: string
  /** Centre of the festival. */
  centre: Position
  /** For pages without a picture of their own. */
  picture: SharingPicture
}

export const SiteContext = createContext<Site | null>(null)
