/** The first link on every screen, which skips the navigation. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-50 -translate-y-24 rounded-control bg-accent px-4 py-3 font-bold text-on-accent focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
