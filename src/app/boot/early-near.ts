import { fixed } from '../../kit/shared/numbers.ts'
const patienceMs = 10_000

/**
 * Handles a tap on "near me" before hydration: asks the browser for the position and opens the list of deals around it. Without a
 * position it follows the link, to the festival's centre. Words in the search field go along. After hydration
 * `deals/web/use-near-me.ts` does this.
 */
export function nearBeforeAlive(event: MouseEvent) {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-near]')
  // after hydration React has prevented the click already
  const isPlain = !event.defaultPrevented && !event.metaKey && !event.ctrlKey && !event.shiftKey
  if (!link || !isPlain || !navigator.geolocation) return
  event.preventDefault()
  link.ariaBusy = 'true'
  const from = location.href
  let isGone = false
  const goTo = (address: string) => {
    clearTimeout(timer)
    // the visitor has gone on to another page meanwhile: stay there
    if (isGone || location.href !== from) return
    const to = new URL(address)
    const words = document.querySelector<HTMLInputElement>('main input[name=q]')?.value
    if (words) to.searchParams.set('q', words)
    location.assign(to)
  }
  const toCentre = () => goTo(link.href)
  const timer = setTimeout(toCentre, patienceMs)
  // or the page would go on waiting in the browser's back/forward cache
  const leave = () => {
    isGone = true
    link.ariaBusy = null
  }
  addEventListener('pagehide', leave)
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      if (isGone) return
      const [lat, lon] = [fixed(coords.latitude, 3), fixed(coords.longitude, 3)]
      try {
        // the next pages show distances from here (`kit/browser/here-and-now.ts`)
        sessionStorage.setItem('here', `${lat},${lon}`)
      } catch {}
      goTo(link.href.replace('near=centre', `lat=${lat}&lon=${lon}`))
    },
    toCentre,
    { timeout: patienceMs, maximumAge: 60_000 },
  )
}
