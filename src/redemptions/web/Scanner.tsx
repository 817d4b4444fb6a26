import { useEffect, useEffectEvent, useRef, useState } from 'react'
import Camera from 'lucide-react/icons/camera'
import CameraOff from 'lucide-react/icons/camera-off'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { cameraFault, openCamera, pictureReader } from './camera.ts'

const lookEveryMs = 120
/** A code held in front of the camera is read once. After it was out of sight for this long, it is read again. */
const sameForMs = 4000

/** Also the keys of the texts that are shown. */
type Failure = 'refused' | 'noneHere' | 'broken' | 'noReader'
type State = 'off' | 'starting' | 'on' | Failure

/** Reads QR codes by camera. `paused`: the picture stays, nothing is read. */
export function Scanner({ paused, onRead }: { paused: boolean; onRead: (payload: string) => void }) {
  const t = useTranslations('redeem')
  const [state, setState] = useState<State>('off')
  const video = useRef<HTMLVideoElement>(null)
  const last = useRef({ payload: '', at: -sameForMs })
  const fault = useHydrated() ? cameraFault() : null
  const read = useEffectEvent((payload: string) => {
    const isSame = payload === last.current.payload && performance.now() - last.current.at < sameForMs
    last.current = { payload, at: performance.now() }
    if (!isSame && !paused) onRead(payload)
  })
  const isWanted = state === 'starting' || state === 'on'
  useEffect(() => {
    if (!isWanted) return
    const ended = new AbortController()
    void scan(ended.signal, video.current!, {
      started: () => setState('on'),
      failed: setState,
      read: (payload) => read(payload),
    })
    return () => ended.abort()
  }, [isWanted])

  if (fault)
    return (
      <Notice kind="info" title={t('noCamera')}>
        <p>{t(fault === 'insecure' ? 'insecure' : 'missing')}</p>
      </Notice>
    )
  return (
    <div className="grid gap-3">
      <div
        className={`relative aspect-square max-h-[52dvh] w-full overflow-clip rounded-6 border-2 border-rule bg-night ${isWanted ? '' : 'hidden'}`}
      >
        <video ref={video} muted playsInline aria-label={t('picture')} className="size-full object-cover" />
        <span aria-hidden="true" className="absolute inset-[14%] rounded-6 border-4 border-lantern" />
        {state === 'starting' && (
          <output className="absolute inset-x-0 bottom-3 text-center text-on-deep">{t('starting')}</output>
        )}
      </div>
      {!isWanted && state !== 'off' && <Notice kind="warn">{t(state)}</Notice>}
      {isWanted ? (
        <Button
          variant="quiet"
          onClick={() => setState('off')}
          icon={<CameraOff aria-hidden="true" className="size-5" />}
          className="justify-self-start"
        >
          {t('stop')}
        </Button>
      ) : (
        <Button
          variant="primary"
          size="lg"
          wide
          onClick={() => setState('starting')}
          icon={<Camera aria-hidden="true" />}
        >
          {t('scan')}
        </Button>
      )}
    </div>
  )
}

/** Why the camera did not open. WebKit throws OverconstrainedError, not a `DOMException`, if there is no camera. */
function failureOf(error: unknown): Failure {
  const { name } = error as Error
  if (name === 'NotAllowedError') return 'refused'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'noneHere' : 'broken'
}

/** Opens the camera and looks for codes in its picture until `ended`. */
async function scan(
  ended: AbortSignal,
  video: HTMLVideoElement,
  on: { started: () => void; failed: (why: Failure) => void; read: (payload: string) => void },
): Promise<void> {
  let stream: MediaStream
  try {
    stream = await openCamera()
  } catch (error) {
    if (!ended.aborted) on.failed(failureOf(error))
    return
  }
  const stop = () => stream.getTracks().forEach((track) => track.stop())
  if (ended.aborted) return stop()
  ended.addEventListener('abort', stop)
  try {
    video.srcObject = stream
    const [readPicture] = await Promise.all([pictureReader().catch(() => null), video.play()])
    if (ended.aborted) return
    if (!readPicture) {
      stop()
      return on.failed('noReader')
    }
    on.started()
    const look = async () => {
      if (ended.aborted) return
      const payload = await readPicture(video).catch(() => null)
      if (payload && !ended.aborted) on.read(payload)
      setTimeout(() => void look(), lookEveryMs)
    }
    await look()
  } catch {
    if (ended.aborted) return
    stop()
    on.failed('broken')
  }
}
