/** Who has a schedule, and what others see of it. */

/** Visitors and staff; merchants have no schedule. */
export const scheduleRoles = ['user', 'moderator', 'admin'] as const

/** The part of an entry that a shared schedule shows: neither note nor reminders. */
export const sharedPart = <Priority, Event>({ priority, event }: { priority: Priority; event: Event }) => ({
  priority,
  event,
})

/** What the button of an event does; null: nothing, because nobody can go to what is over or cancelled. A saved one can be removed. */
export function scheduleAction(
  { status }: { status: string },
  { isSaved, isOver }: { isSaved: boolean; isOver: boolean },
): 'add' | 'remove' | null {
  if (isSaved) return 'remove'
  return isOver || status === 'cancelled' ? null : 'add'
}
