import { Component, use, type ReactNode } from 'react'
import { noteAlive, noteFailure } from './alive.ts'

interface Failure {
  error: unknown
}

/**
 * Leaves the server's page on the screen where one of its parts cannot be drawn while React takes it over: a page that waits
 * for ever changes nothing. Later errors go on to the error screen.
 */
export class ServerPage extends Component<{ children: ReactNode }, { failure: Failure | null }> {
  override state = { failure: null as Failure | null }
  static getDerivedStateFromError = (error: unknown) => ({ failure: { error } })
  override componentDidMount = noteAlive
  override render() {
    const { failure } = this.state
    if (!failure) return this.props.children
    if (noteFailure(failure.error)) return <Never />
    throw failure.error
  }
}

const never = new Promise<never>(() => {})
const Never = () => use(never)
