/** Global names of a service worker that ours uses. TypeScript's own list cannot be loaded beside the one for pages. */
export interface WorkerScope extends EventTarget {
  readonly location: URL
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled?: boolean }): Promise<readonly unknown[]>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void
  addEventListener(type: 'message', listener: (event: LastingEvent & MessageEvent) => void): void
  addEventListener(type: string, listener: (event: Event) => void): void
}

export interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
