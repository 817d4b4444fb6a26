import { Component, use, type ReactNode } from 'react'

/** Outside of the component, since a document is hydrated once, and React throws components away after errors. */
let stage: 'alive' | 'failed' | undefined

/**
 * Leaves the server's page on the screen when hydration fails; `start-page.ts` then shows a notice. Later errors go on to the
 * error screen.
 */
export class ServerPage extends Component<{ children: ReactNode }> {
  static getDerivedStateFromError = (error: unknown) => ({ failed: true, error })
  override state = { failed: false, error: null }
  // later, because errors in effects of the first render are errors of hydration too
  override componentDidMount = () => void setTimeout(() => (stage ??= 'alive'))
  override render() {
    const { failed, error } = this.state
    return failed ? <Failed error={error} /> : this.props.children
  }
}

/** Suspends for ever, so that React leaves the server's page as it is. */
function Failed({ error }: { error: unknown }): never {
  if (stage === 'alive') throw error
  if (!stage) {
    stage = 'failed'
    reportError(error)
    dispatchEvent(new Event('stay'))
  }
  return use(never)
}

const never = new Promise<never>(() => {})
