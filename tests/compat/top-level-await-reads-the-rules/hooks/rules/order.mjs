export const order = ['order begins'];
await null;
order.push('order ends');
