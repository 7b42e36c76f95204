/** Says that a screen is on its way, for as long as there is nothing else to show. */
export function Waiting({ children = 'One moment…' }: { children?: string }) {
  return (
    <p role="status" className="p-8 text-center text-soft">
      {children}
    </p>
  );
}
