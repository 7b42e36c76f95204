/** Says that the friend is writing, while they are. */
export function Typing({ name, isTyping }: { name: string; isTyping: boolean }) {
  return (
    <div role="status" className="mt-3 flex items-center gap-2 text-sm text-soft empty:hidden">
      {isTyping && (
        <>
          <span
            aria-hidden
            className="inline-flex gap-1 rounded-2xl border border-line bg-surface px-3.5 py-3"
          >
            {['', '[animation-delay:150ms]', '[animation-delay:300ms]'].map((delay) => (
              <span
                key={delay}
                className={`size-2 animate-pulse rounded-full bg-line-strong ${delay}`}
              />
            ))}
          </span>
          {name} is typing…
        </>
      )}
    </div>
  );
}
