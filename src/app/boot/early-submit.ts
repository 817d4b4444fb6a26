/**
 * Holds back a form that only a script can send (`SubmitButton`) until the page is hydrated: its button sends it then. So
 * passwords never end up in an address.
 */
export function submitBeforeAlive(event: SubmitEvent) {
  const button = event.submitter
  if (event.defaultPrevented || !button?.matches('[data-waits]')) return
  event.preventDefault()
  button.ariaBusy = 'true'
}
