export default function ContactScreen() { return <h1>ContactScreen</h1> }
