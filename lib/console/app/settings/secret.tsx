import type { JSX } from 'preact';
import { settingsText } from '../../model/text/settings-text.ts';
import { useApp } from '../context.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Button } from '../ui/ui.tsx';

interface SecretProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A password or token that is shown once. */
export function Secret({ title, secret, onClose }: SecretProps): JSX.Element {
  const { say } = useApp();
  const copy = (): void => {
    navigator.clipboard?.writeText(secret).then(
      () => say(settingsText.copied),
      () => undefined, // the text is there to be selected
    );
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        <code class="secret">{secret}</code>
      </p>
      <p class="row end">
        <Button onClick={copy}>{settingsText.copy}</Button>
        <Button kind="primary" onClick={onClose}>
          {settingsText.close}
        </Button>
      </p>
    </Dialog>
  );
}
