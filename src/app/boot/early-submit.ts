/**
 * A form sent before the page is alive, by a button that only a script can act on (`SubmitButton`): it is kept, and
 * sent by that button once the page is alive. Secrets stay in their fields.
 */
export function submitBeforeAlive(event: SubmitEvent) {
  const button = event.submitter
  if (event.defaultPrevented || !button?.matches('[data-waits]')) return
  event.preventDefault()
  button.ariaBusy = 'true'
}
