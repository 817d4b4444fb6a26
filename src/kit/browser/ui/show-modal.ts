/**
 * Opens a dialog over the page and focuses its heading, so that screen readers say the heading first. The browser alone would focus
 * the first button, and WebKit draws a ring around that button after a tap as well.
 */
export function showModal(dialog: HTMLDialogElement | null) {
  if (!dialog || dialog.open) return
  dialog.showModal()
  const heading = dialog.querySelector('h2')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus()
}
