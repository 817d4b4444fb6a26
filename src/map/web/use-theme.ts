import { useSyncExternalStore } from 'react'
import type { MapTheme } from './engine.ts'

const dark = '(prefers-color-scheme: dark)'

/** Paper or river, as the page shows itself now; it follows the system where nothing was chosen. */
export function useMapTheme(): MapTheme {
  return useSyncExternalStore(follow, shown, () => 'paper')
}

function shown(): MapTheme {
  const chosen = document.documentElement.dataset['theme']
  if (chosen === 'paper' || chosen === 'river') return chosen
  return matchMedia(dark).matches ? 'river' : 'paper'
}

function follow(tell: () => void): () => void {
  const list = matchMedia(dark)
  list.addEventListener('change', tell)
  // another tab may choose one
  const chosen = new MutationObserver(tell)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    list.removeEventListener('change', tell)
    chosen.disconnect()
  }
}
