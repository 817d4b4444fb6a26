/** What a service worker has beyond a page, as far as ours uses it: the compiler's list of a page's names is the only one here. */
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
