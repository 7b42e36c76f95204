import { Trash2 } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { useClose } from '../../platform/ui/dialogs/use-close-dialog.ts';
import { DeleteAccountDialog } from './delete-account.tsx';
import { ExportButton } from './export-button.tsx';

/** Exporting the user's data, and deleting the account. */
export function YourData() {
  const [search] = useSearchParams();
  const close = useClose('open');
  return (
    <Card title="Your data" id="your-data">
      <ExportButton />
      <hr className="my-5 border-line" />
      <ButtonLink
        look="danger-outline"
        wide
        to="/settings?open=delete-account#your-data"
        Icon={Trash2}
      >
        Delete my account
      </ButtonLink>
      <DeleteAccountDialog open={search.get('open') === 'delete-account'} onClose={close} />
    </Card>
  );
}
