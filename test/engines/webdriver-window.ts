import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../free-port.ts'
import { phone, type Window } from './engine.ts'

/** How an element is named in the protocol (W3C WebDriver, 11). */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
/** Keys that are no letters (W3C WebDriver, 17.4.2). */
const keys = { Tab: '\uE004', Enter: '\uE007', ArrowRight: '\uE014' }

/** A window of WebKitGTK, driven by WebDriver, in a virtual screen of its size. */
export async function startByWebDriver(paths: {
  driver: string
  browser: string
}): Promise<{ window: Window; stop(): Promise<void> }> {
  const screen = spawn('Xvfb', [
    '-displayfd',
    '1',
    '-screen',
    '0',
    `${phone.width}x${phone.height}x24`,
    '-nolisten',
    'tcp',
  ])
  const number = await firstLine(screen)
  const port = await freePort()
  const driver = spawn(paths.driver, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${number}`, LC_ALL: 'C.UTF-8', LANGUAGE: 'en_GB', NO_AT_BRIDGE: '1' },
    stdio: 'ignore',
  })
  const stop = async () => {
    for (const each of [driver, screen]) {
      if (each.exitCode !== null || each.signalCode !== null) continue
      const ended = once(each, 'exit')
      each.kill()
      await ended
    }
  }
  try {
    const call = calls(`http://127.0.0.1:${port}`)
    await isUp(call, driver)
    const { sessionId } = (await call('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          browserName: 'MiniBrowser',
          // a toolbar would make the window wider than a phone
          'webkitgtk:browserOptions': { binary: paths.browser, args: ['--automation', '--full-screen'] },
        },
      },
    })) as { sessionId: string }
    const session: Call = (method, path, body) => call(method, `/session/${sessionId}${path}`, body)
    await session('POST', '/window/rect', { x: 0, y: 0, ...phone })
    await session('POST', '/timeouts', { script: 60_000, pageLoad: 60_000 })
    const window = windowOf(session, (await session('GET', '/window')) as string)
    return { window, stop: async () => (await session('DELETE', '').catch(() => {}), stop()) }
  } catch (error) {
    await stop()
    throw error
  }
}

type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

const calls =
  (origin: string): Call =>
  async (method, path, body) => {
    const answer = await fetch(origin + path, {
      method,
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
      signal: AbortSignal.timeout(90_000),
    })
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } }
    if (!answer.ok) throw new Error(`${method} ${path}: ${value.error} ${value.message}`)
    return value
  }

async function isUp(call: Call, driver: ChildProcess): Promise<void> {
  while (driver.exitCode === null) {
    if (await call('GET', '/status').catch(() => null)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('The driver of WebKit ended.')
}

async function firstLine(process: ChildProcess): Promise<string> {
  let text = ''
  for await (const piece of process.stdout!) if ((text += String(piece)).includes('\n')) break
  return text.trim()
}

function windowOf(session: Call, handle: string): Window {
  const call: Call = async (method, path, body) => {
    await session('POST', '/window', { handle })
    return session(method, path, body)
  }
  const evaluate = (script: string, args: unknown[]) => call('POST', '/execute/sync', { script, args })
  const act = (id: string, type: string, actions: object[], more: object = {}) =>
    call('POST', '/actions', { actions: [{ type, id, ...more, actions }] })
  const strike = (text: string) =>
    act(
      'keyboard',
      'key',
      [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    )
  return {
    open: async (url) => void (await call('POST', '/url', { url }).catch(() => {})),
    reload: async () => void (await call('POST', '/refresh').catch(() => {})),
    back: async () => void (await call('POST', '/back').catch(() => {})),
    run: (work, ...args) => evaluate(`return (${work.toString()})(...arguments)`, args) as never,
    tap: async (x, y) =>
      void (await act(
        'mouse',
        'pointer',
        [
          { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
        { parameters: { pointerType: 'mouse' } },
      )),
    type: async (text) => void (await strike(text)),
    press: async (key) => void (await strike(keys[key])),
    choose: async (selector, file) => {
      const found = (await call('POST', '/element', { using: 'css selector', value: selector })) as Record<
        string,
        string
      >
      await call('POST', `/element/${found[elementKey]}/value`, { text: file })
    },
    picture: async () => Buffer.from((await call('GET', '/screenshot')) as string, 'base64'),
    goOffline: async () => false,
    another: async () => {
      const { handle: opened } = (await call('POST', '/window/new', { type: 'tab' })) as { handle: string }
      return windowOf(session, opened)
    },
    close: async () => void (await call('DELETE', '/window')),
  }
}
