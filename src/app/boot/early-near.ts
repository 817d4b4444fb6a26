/** ms */
const patience = 10_000

/**
 * A tap on a link to deals near me, before the page is alive: the browser is asked where we are, and the list around that
 * place comes as a page; refused or too slow, it is the festival's centre, where the link leads. What stands in the search field
 * by then goes along. Once the page is alive the link does it by itself (`deals/web/use-near-me.ts`).
 */
export function nearBeforeAlive(event: MouseEvent) {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-near]')
  // once the page is alive, React has prevented it
  const isPlain = !event.defaultPrevented && !event.metaKey && !event.ctrlKey && !event.shiftKey
  if (!link || !isPlain || !navigator.geolocation) return
  event.preventDefault()
  link.ariaBusy = 'true'
  const from = location.href
  let isGone = false
  const goTo = (address: string) => {
    clearTimeout(timer)
    // who has gone on to another page stays there
    if (isGone || location.href !== from) return
    const to = new URL(address)
    const words = document.querySelector<HTMLInputElement>('main input[name=q]')?.value
    if (words) to.searchParams.set('q', words)
    location.assign(to)
  }
  const toCentre = () => goTo(link.href)
  const timer = setTimeout(toCentre, patience)
  // a page that is kept for the way back would go on waiting
  const leave = () => {
    isGone = true
    link.ariaBusy = null
  }
  addEventListener('pagehide', leave)
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      if (isGone) return
      const [lat, lon] = [coords.latitude.toFixed(3), coords.longitude.toFixed(3)]
      try {
        // the next pages tell how far it is (`kit/browser/last-position.ts`)
        sessionStorage.setItem('here', `${lat},${lon}`)
      } catch {}
      goTo(link.href.replace('near=centre', `lat=${lat}&lon=${lon}`))
    },
    toCentre,
    { timeout: patience, maximumAge: 60_000 },
  )
}
