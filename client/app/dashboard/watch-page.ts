import { showTheme } from '../../features/settings/theme.ts';
import { reportErrors } from '../../platform/client-errors/report-errors.ts';
import '../../platform/lazy/reload-if-replaced.ts';
import { guardTranslatedPage } from '../../platform/ui/layout/translated-page.ts';
import { keepFocus } from '../../platform/ui/navigation/keep-focus.ts';
import { guardPresses } from '../../platform/ui/navigation/press-guard.ts';

guardPresses();
guardTranslatedPage(document.body);
// Pages without a service worker start with the device's theme.
showTheme();

/** Keeps the focus and reports errors while a member’s screen is open. @returns a function that ends it */
export function watchPage(): () => void {
  const ends = [keepFocus(), reportErrors()];
  return () => {
    for (const end of ends) end();
  };
}
