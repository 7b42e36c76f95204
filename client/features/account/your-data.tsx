import { Trash2 } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { Card } from '../../platform/ui/layout/card.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { ExportButton } from './export-button.tsx';

/** Exporting the user's data, and deleting the account. */
export function YourData() {
  const { opened, close } = useDialogParam();
  const { hash } = useLocation();
  return (
    <Card title="Your data" id="your-data">
      <ExportButton />
      <hr className="my-5 border-line" />
      <ButtonLink
        look="danger-outline"
        wide
        to={{ search: 'open=delete-account', hash }}
        Icon={Trash2}
      >
        Delete my account
      </ButtonLink>
      <DeleteAccountDialog open={opened === 'delete-account'} onClose={close} />
    </Card>
  );
}
