/** Words with what was searched for in them marked. */
export function Highlighted({ text, term }: { text: string; term: string }) {
  const at = text.toLowerCase().indexOf(term.toLowerCase());
  if (term === '' || at < 0) return text;
  const end = at + term.length;
  return (
    <>
      {text.slice(0, at)}
      <mark className="rounded-sm bg-accent-soft text-ink">{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}
