/** Shown while a screen is loading. */
export function Waiting({ children = 'Loading…' }: { children?: string }) {
  return (
    <p role="status" className="p-8 text-center text-soft">
      {children}
    </p>
  );
}
