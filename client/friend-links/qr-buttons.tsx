import { QrCode, ScanLine } from 'lucide-react';
import { Suspense } from 'react';
import { lazyComponent } from '../lazy/lazy-component.ts';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useOpened } from '../ui/use-dialog-param.ts';
import { canScan } from './barcode-detector.ts';

const FriendQr = lazyComponent(() => import('./friend-qr.tsx'));
const Scanner = lazyComponent(() => import('./scanner.tsx'));

/** Shows the user's QR code (`?open=qr`), or scans that of another member (`?open=scan`). */
export function QrButtons() {
  const { opened, open, close } = useOpened();
  return (
    <div className="flex flex-wrap gap-3">
      <Button look="secondary" onClick={() => open('qr')} Icon={QrCode}>
        My QR code
      </Button>
      {canScan() && (
        <Button look="secondary" onClick={() => open('scan')} Icon={ScanLine}>
          Scan a QR code
        </Button>
      )}
      <Modal open={opened === 'qr'} onClose={() => void close()} title="My QR code">
        <Suspense fallback={<Skeleton label="Loading your QR code…" lines={5} />}>
          <FriendQr />
        </Suspense>
      </Modal>
      <Modal
        open={opened === 'scan' && canScan()}
        onClose={() => void close()}
        title="Scan a QR code"
      >
        <Suspense fallback={<Skeleton label="Opening the camera…" lines={5} />}>
          <Scanner />
        </Suspense>
      </Modal>
    </div>
  );
}
