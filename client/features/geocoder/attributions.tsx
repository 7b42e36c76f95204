/** The sources of results from geocoders and lists, as their licenses ask. */
export function Attributions({ of }: { of: readonly { text: string; url: string }[] }) {
  if (of.length === 0) return null;
  return (
    <p className="text-xs text-soft">
      Results from{' '}
      {of.map(({ text, url }, index) => (
        <span key={url}>
          {index > 0 && <span>{' and '}</span>}
          <a href={url} target="_blank" rel="noreferrer" className="text-accent underline">
            {text}
          </a>
        </span>
      ))}
    </p>
  );
}
