export default function DealScreen() { return <h1>DealScreen</h1> }
