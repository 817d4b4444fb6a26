import type { InputHTMLAttributes } from 'react'
import Search from 'lucide-react/icons/search'
import { Button } from './Button.tsx'

/**
 * A search form that works without JavaScript: it opens the page `action` with the parameter `q`. With `onSearch` that
 * function is called instead.
 */
export function SearchBar({
  label,
  button,
  action,
  onSearch,
  size = 'md',
  className = '',
  ...input
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'size' | 'name' | 'children'> & {
  label: string
  button: string
  action?: string
  onSearch?: (query: string) => void
  size?: 'md' | 'lg'
}) {
  return (
    <search className={className}>
      <form
        action={action}
        onSubmit={(event) => {
          if (!onSearch) return
          event.preventDefault()
          onSearch(String(new FormData(event.currentTarget).get('q') ?? '').trim())
        }}
        className="flex w-full"
      >
        <SearchField {...input} {...{ label, button, size }} name="q" />
      </form>
    </search>
  )
}

/**
 * Field and button of a search, for a form with more fields (filters). With very large text the button moves below the
 * field.
 */
export function SearchField({
  label,
  button,
  size = 'md',
  ...input
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'size'> & { label: string; button: string; size?: 'md' | 'lg' }) {
  const height = size === 'lg' ? 'min-h-14 text-lg' : 'min-h-11 text-base'
  return (
    <span className="@container flex w-full min-w-0">
      <span className="flex w-full min-w-0 @max-[15rem]:flex-col @max-[15rem]:gap-2">
        <span className="relative flex min-w-0 flex-1 items-center">
          <Search aria-hidden="true" className="pointer-events-none absolute left-3 size-5 text-ink-soft" />
          <input
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            {...input}
            aria-label={label}
            // no room for the browser's clear button while the placeholder is shown
            className={`w-full min-w-0 appearance-none rounded-l-6 border-2 border-r-0 @max-[15rem]:rounded-6 @max-[15rem]:border-r-2 border-rule bg-surface pr-2 pl-10 text-ellipsis text-ink focus-visible:z-10 [&:placeholder-shown::-webkit-search-cancel-button]:hidden ${height}`}
          />
        </span>
        <Button
          type="submit"
          variant="primary"
          size={size}
          className="rounded-l-none border-rule @max-[15rem]:rounded-6 focus-visible:z-10"
        >
          {button}
        </Button>
      </span>
    </span>
  )
}
