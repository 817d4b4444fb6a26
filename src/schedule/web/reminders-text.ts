/** Values of the text `saving.remindersSet`: "at the start, 5 and 10 min before". */
export function remindersText(reminders: readonly number[]) {
  const minutes = reminders.filter((each) => each > 0)
  return {
    start: minutes.length < reminders.length ? 'yes' : 'no',
    n: minutes.length,
    first: minutes.slice(0, -1).join(', '),
    last: minutes.at(-1) ?? 0,
  }
}
