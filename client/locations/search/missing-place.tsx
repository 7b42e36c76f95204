import { getLocation } from '#shared/locations/contract.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBanner } from '../../ui/error-banner.tsx';
import type { MissingPlace as Missing } from './use-shown-places.ts';

/** Says why the place that the address leads to is not shown. */
export function MissingPlace({
  missing: { why, retry },
  onClose,
}: {
  missing: Missing;
  onClose: () => void;
}) {
  if (why === 'gone')
    return (
      <ErrorBanner
        title="There is no such place"
        action={
          <Button look="secondary" onClick={onClose}>
            Close
          </Button>
        }
      >
        It was removed, it is only for whoever added it, or the link is not right.
      </ErrorBanner>
    );
  if (why === 'offline')
    return (
      <ErrorBanner title="This place is not on this device">
        It needs the network once, and shows here as soon as there is a connection.
      </ErrorBanner>
    );
  return (
    <ErrorBanner
      title={getLocation.failure}
      action={
        <Button look="secondary" onClick={retry}>
          Try again
        </Button>
      }
    >
      The server could not be reached.
    </ErrorBanner>
  );
}
