"""Sends the pushes of a conformance rule with httpx over one HTTP/2 client."""
import asyncio
import ssl

import httpx

import task


async def main():
    headers = {
        "authorization": f"bearer {task.provider_token()}", "apns-topic": task.topic, "apns-push-type": "alert"}
    context = ssl.create_default_context(cafile=task.authority)
    async with httpx.AsyncClient(http2=True, verify=context, headers=headers, timeout=8) as client:

        async def send(token):
            try:
                answer = await client.post(
                    f"https://{task.host}:{task.port}/3/device/{token}", content=task.payload.encode())
                task.report(token, answer.status_code, answer.json()["reason"] if answer.content else None)
            except Exception:
                task.report(token)

        if task.together:
            await asyncio.gather(*map(send, task.tokens))
        else:
            for token in task.tokens:
                await send(token)


asyncio.run(main())
