import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** The live stream of a deployment, as those who send records see it. */
export interface Stream {
  /** Sends a record; those of a group are taken in their order. A text goes as it is. */
  send(record: unknown, group: string): Promise<void>;
  /** The first dead letter that comes within the time; it is taken out of the queue. */
  deadLetter(within: number): Promise<Message | undefined>;
}

let sent = 0;

export function createStream(client: SQSClient, site: string, queue: string, deadLetters: string): Stream {
  return {
    async send(record, group) {
      sent += 1;
      await client.send(
        new SendMessageCommand({
          QueueUrl: queue,
          MessageBody: typeof record === 'string' ? record : JSON.stringify(record),
          MessageGroupId: group,
          MessageDeduplicationId: `${process.pid}-${sent}`,
          MessageAttributes: { site: { DataType: 'String', StringValue: site } },
        }),
      );
    },
    async deadLetter(within) {
      const until = Date.now() + within;
      while (Date.now() < until) {
        const { Messages = [] } = await client.send(
          new ReceiveMessageCommand({ QueueUrl: deadLetters, WaitTimeSeconds: 1, MessageAttributeNames: ['All'] }),
        );
        const [letter] = Messages;
        if (letter === undefined) continue;
        await client.send(new DeleteMessageCommand({ QueueUrl: deadLetters, ReceiptHandle: letter.ReceiptHandle }));
        return letter;
      }
      return undefined;
    },
  };
}
