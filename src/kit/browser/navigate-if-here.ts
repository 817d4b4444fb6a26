import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigation, type NavigateOptions } from 'react-router'

/**
 * Where what was asked for leads once it is done, for who still waits for it: who is on another page meanwhile, or on the way to one, is not
 * fetched back.
 */
export function useNavigateIfHere(): (to: string, options?: NavigateOptions) => void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const isIdle = useNavigation().state === 'idle'
  const waitsAt = useRef<string | null>(null)
  useEffect(() => {
    waitsAt.current = isIdle ? pathname : null
    return () => {
      waitsAt.current = null
    }
  }, [isIdle, pathname])
  return (to, options) => {
    if (waitsAt.current === pathname) void navigate(to, options)
  }
}
