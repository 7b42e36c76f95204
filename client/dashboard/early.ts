// A dashboard that is opened from this device is asked for before anything else of the app is run: its files come while
// the app's own begin, and are drawn at once (`readyToDraw`).
if (location.pathname === '/home' && navigator.serviceWorker?.controller)
  for (const asked of [import('./member-layout.tsx'), import('./home-page.tsx')])
    asked.catch(() => null);
