import { preloadFiles } from './preload-files.ts'

/**
 * Written into the head of a long page, which a phone needs longer to lay out than its line to bring. Its scripts are fetched
 * once its style sheet has come: the line would lie idle until the paint, for which `start-page.ts` waits with running them.
 */
export default function startEarly(files: string[]) {
  document.currentScript?.remove()
  const onLoad = ({ target }: Event) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    document.removeEventListener('load', onLoad, true)
    preloadFiles(files)
  }
  // what an element says of its loading never reaches the window
  document.addEventListener('load', onLoad, true)
}
