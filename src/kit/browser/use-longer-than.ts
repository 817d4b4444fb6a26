import { useEffect, useState } from 'react'

/** True once `isOn` has been true for `ms` without a break. */
export function useLongerThan(ms: number, isOn: boolean): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => setLong(true), ms)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isOn, ms])
  return isOn && isLong
}
