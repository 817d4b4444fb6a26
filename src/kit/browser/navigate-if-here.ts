import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigation, type NavigateOptions } from 'react-router'

/** Navigates after a request, unless the person has left the page meanwhile: nobody is taken away from another page. */
export function useNavigateIfHere(): (to: string, options?: NavigateOptions) => void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const isIdle = useNavigation().state === 'idle'
  const currentPath = useRef<string | null>(null)
  useEffect(() => {
    currentPath.current = isIdle ? pathname : null
    return () => {
      currentPath.current = null
    }
  }, [isIdle, pathname])
  return (to, options) => {
    if (currentPath.current === pathname) void navigate(to, options)
  }
}
