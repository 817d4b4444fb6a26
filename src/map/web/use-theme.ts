import { useSyncExternalStore } from 'react'
import type { MapTheme } from './engine.ts'

const dark = '(prefers-color-scheme: dark)'

/** Paper or river, as the page shows itself now; it follows the system where nothing was chosen. */
export function useMapTheme(): MapTheme {
  return useSyncExternalStore(follow, shown, () => 'paper')
}

/** As it was chosen: `given` is what the document came with, and another tab may choose another since. */
export function useChosenTheme(given: 'auto' | MapTheme): 'auto' | MapTheme {
  return useSyncExternalStore(follow, chosen, () => given)
}

function shown(): MapTheme {
  const theme = chosen()
  if (theme !== 'auto') return theme
  return matchMedia(dark).matches ? 'river' : 'paper'
}

function chosen(): 'auto' | MapTheme {
  const { theme } = document.documentElement.dataset
  return theme === 'paper' || theme === 'river' ? theme : 'auto'
}

function follow(tell: () => void): () => void {
  const list = matchMedia(dark)
  list.addEventListener('change', tell)
  // another tab may choose one
  const choices = new MutationObserver(tell)
  choices.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    list.removeEventListener('change', tell)
    choices.disconnect()
  }
}
