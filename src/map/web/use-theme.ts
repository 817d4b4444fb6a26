import { useSyncExternalStore } from 'react'
import type { MapTheme } from './engine.ts'

const dark = '(prefers-color-scheme: dark)'

/** The theme of the page; it follows the system if none was chosen. */
export function useMapTheme(): MapTheme {
  return useSyncExternalStore(follow, shown, () => 'paper')
}

/** The chosen theme: `given` is that of the document; it may be changed here or in another tab since. */
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

function follow(onChange: () => void): () => void {
  const list = matchMedia(dark)
  list.addEventListener('change', onChange)
  // another tab may change the theme
  const choices = new MutationObserver(onChange)
  choices.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    list.removeEventListener('change', onChange)
    choices.disconnect()
  }
}
