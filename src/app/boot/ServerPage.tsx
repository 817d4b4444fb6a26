import { Component, use, type ReactNode } from 'react'

let stage: 'alive' | 'failed' | undefined

/**
 * Leaves the server's page on the screen where a part cannot be drawn while React takes the page over, and lets
 * `start-page.ts` say so. Later errors go on to the error screen.
 */
export class ServerPage extends Component<{ children: ReactNode }> {
  static getDerivedStateFromError = (error: unknown) => ({ failed: true, error })
  override state = { failed: false, error: null }
  // what the effects of the first render do still belongs to it
  override componentDidMount = () => void setTimeout(() => (stage ??= 'alive'))
  override render() {
    const { failed, error } = this.state
    return failed ? <Failed error={error} /> : this.props.children
  }
}

/** What waits for ever changes nothing on the screen. */
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
