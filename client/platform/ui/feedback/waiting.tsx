/** Shown while a screen is loading, in its place. */
export function Waiting() {
  return (
    <main id="main" tabIndex={-1} className="p-8 text-center text-soft">
      <div role="status">
        <h1>Loading…</h1>
      </div>
    </main>
  );
}
