import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { ExportButton } from './export-button.tsx';

/** Export and deletion of the account, for people who can't open the settings. */
export function DataCard() {
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <Card title="Your data">
        <ExportButton />
        <hr className="my-5 border-line" />
        <Button look="danger-outline" wide onClick={() => setLeaving(true)} Icon={Trash2}>
          Delete my account
        </Button>
      </Card>
      <DeleteAccountDialog open={isLeaving} onClose={() => setLeaving(false)} />
    </>
  );
}
